-- The official season: who takes part, rounds, finals, grades.
-- What a round means (groups, saved, eliminated) is never stored where it can be
-- worked out: `ludus_arena::season` puts a round together again from its seed,
-- its frozen field and the scores of its matches.

-- Whose names the public sees: 'players' (nobody's), 'signed-in' (those of
-- students, for whoever is signed in), 'everybody'.
ALTER TABLE course ADD COLUMN names TEXT NOT NULL DEFAULT 'signed-in' CHECK (names IN ('players', 'signed-in', 'everybody'));

-- 1 while only instructors may know of a match: one of a final before it is revealed.
ALTER TABLE matches ADD COLUMN veiled BIGINT NOT NULL DEFAULT 0;

-- The groups of the roster that play a season. A season without any is played by
-- every student.
CREATE TABLE season_groups (
    season_id BIGINT NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    team TEXT NOT NULL,
    PRIMARY KEY (season_id, team)
);

-- How a season is played: one row per season with official rounds.
CREATE TABLE schedules (
    season_id BIGINT PRIMARY KEY REFERENCES seasons (id) ON DELETE CASCADE,
    -- The times of the day at which rounds start, in the course's time zone, such
    -- as '09:00 13:30'; empty where rounds are started by hand.
    times TEXT NOT NULL DEFAULT '',
    -- The days of the week, Monday is 1.
    days TEXT NOT NULL DEFAULT '1234567',
    -- Rounds that are played one after the other each time.
    rounds_each BIGINT NOT NULL DEFAULT 1,
    -- Rounds of the whole season that count, if that is bounded.
    most_rounds BIGINT,
    -- No round is played any more when so many are left.
    least_left BIGINT NOT NULL DEFAULT 1,
    paused_at BIGINT,
    paused_reason TEXT NOT NULL DEFAULT '',
    -- Whether round files hold the modules, for whoever wants to play matches again.
    gives_modules BIGINT NOT NULL DEFAULT 0,
    -- When the list of those who take part was made, which is at the deadline.
    entered_at BIGINT
);

-- Everybody of the season's groups as it was at the deadline.
CREATE TABLE entrants (
    season_id BIGINT NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    -- The number of the author, from 1, given once. Empty for those who had no
    -- accepted player and do not take part.
    number BIGINT,
    entered_at BIGINT NOT NULL,
    -- An instructor has withdrawn the author, who leaves when the next round is
    -- frozen and then has a row in departures.
    leaving_reason TEXT,
    leaving_by BIGINT REFERENCES accounts (id),
    leaving_at BIGINT,
    PRIMARY KEY (season_id, account_id)
);
CREATE UNIQUE INDEX entrants_by_number ON entrants (season_id, number);

-- The player that somebody has chosen. Without a choice, or when the chosen one
-- is retired, it is the newest accepted one.
CREATE TABLE representatives (
    season_id BIGINT NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    submission_id BIGINT NOT NULL REFERENCES submissions (id),
    chosen_at BIGINT NOT NULL,
    PRIMARY KEY (season_id, account_id)
);

-- A final: seasons of one game send their last ones, who play down to a champion.
CREATE TABLE finals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    -- The season whose game, config and limits are played with.
    season_id BIGINT NOT NULL REFERENCES seasons (id),
    -- 64 hexadecimal digits: the seed of all its rounds, secret until all is
    -- revealed, and its commitment.
    seed TEXT NOT NULL,
    commitment TEXT NOT NULL,
    -- 'played' when there is a champion, 'revealed' when everybody may know.
    state TEXT NOT NULL CHECK (state IN ('planned', 'playing', 'played', 'showing', 'revealed', 'cancelled')),
    -- The digest of all results, published when it has been played.
    digest TEXT,
    -- How many steps of the show everybody has seen.
    revealed_steps BIGINT NOT NULL DEFAULT 0,
    champion BIGINT,
    created_at BIGINT NOT NULL,
    played_at BIGINT,
    revealed_at BIGINT
);

-- How many of the last of which season are in a final.
CREATE TABLE final_seasons (
    final_id BIGINT NOT NULL REFERENCES finals (id) ON DELETE CASCADE,
    season_id BIGINT NOT NULL REFERENCES seasons (id),
    finalists BIGINT NOT NULL,
    PRIMARY KEY (final_id, season_id)
);

-- Those who are in a final, with numbers of their own, and the season that sent them.
CREATE TABLE finalists (
    final_id BIGINT NOT NULL REFERENCES finals (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    season_id BIGINT NOT NULL REFERENCES seasons (id),
    PRIMARY KEY (final_id, number)
);

-- Official rounds of seasons and of finals.
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id BIGINT NOT NULL REFERENCES seasons (id),
    -- The final that it is a round of; empty for a round of the season.
    final_id BIGINT REFERENCES finals (id),
    -- From 1, in its season or its final; never given again.
    number BIGINT NOT NULL,
    -- committed: the commitment is public, the field not yet frozen. playing: the
    -- field is frozen and its matches are jobs. over: somebody is eliminated.
    state TEXT NOT NULL CHECK (state IN ('committed', 'playing', 'over', 'cancelled')),
    -- 64 hexadecimal digits each. The seed is secret while the round is committed
    -- or being played, and with a final until that round is revealed.
    commitment TEXT NOT NULL,
    seed TEXT NOT NULL,
    -- When it is to start; empty for one that is started by hand.
    starts_at BIGINT,
    -- What it is played with, frozen together with the field. Empty before.
    title TEXT,
    config TEXT,
    match_ms BIGINT,
    round_ms BIGINT,
    memory_mib BIGINT,
    -- Who is out, by the number of the author, and how it was decided.
    eliminated BIGINT,
    decided_by TEXT CHECK (decided_by IN ('behind', 'alone', 'draw')),
    -- Why it was cancelled, or why its elimination does not count.
    cancelled_reason TEXT,
    undone_at BIGINT,
    undone_reason TEXT,
    committed_at BIGINT NOT NULL,
    frozen_at BIGINT,
    ended_at BIGINT,
    -- Differs whenever something about the round has changed that pages show.
    changes BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX rounds_of_season ON rounds (season_id, number) WHERE final_id IS NULL;
CREATE UNIQUE INDEX rounds_of_final ON rounds (final_id, number) WHERE final_id IS NOT NULL;
-- One round at a time in a season: one that is prepared or being played.
CREATE UNIQUE INDEX rounds_under_way ON rounds (season_id) WHERE final_id IS NULL AND state IN ('committed', 'playing');

-- The frozen field of a round.
CREATE TABLE round_players (
    round_id BIGINT NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
    -- The number of the author, in the season or the final.
    author BIGINT NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    submission_id BIGINT NOT NULL REFERENCES submissions (id),
    -- The name of the player, and what the public could call its author then.
    name TEXT NOT NULL,
    label TEXT NOT NULL,
    -- The SHA-256 of the module.
    module TEXT NOT NULL,
    PRIMARY KEY (round_id, author)
);
CREATE INDEX round_players_by_account ON round_players (account_id);

-- The matches of a round that are planned so far.
CREATE TABLE round_matches (
    round_id BIGINT NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
    -- Both from 1, as the draw counts them.
    stage BIGINT NOT NULL,
    place BIGINT NOT NULL,
    match_id BIGINT NOT NULL UNIQUE REFERENCES matches (id),
    -- The match whose job plays this one as well.
    job_match_id BIGINT NOT NULL REFERENCES matches (id),
    PRIMARY KEY (round_id, stage, place)
);
CREATE INDEX round_matches_by_job ON round_matches (job_match_id);

-- What has happened to the authors of a season, in order: the events from which
-- `ludus_arena::season::Season` is folded.
CREATE TABLE departures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id BIGINT NOT NULL REFERENCES seasons (id),
    kind TEXT NOT NULL CHECK (kind IN ('eliminated', 'withdrawn', 'undone')),
    -- The round of an elimination, and of its undoing.
    round_id BIGINT REFERENCES rounds (id),
    -- Whom it is about, by the number of the author.
    author BIGINT NOT NULL,
    -- Why somebody was withdrawn or an elimination undone.
    reason TEXT NOT NULL DEFAULT '',
    -- Who did it, if it was somebody.
    actor_id BIGINT REFERENCES accounts (id),
    created_at BIGINT NOT NULL
);
CREATE INDEX departures_by_season ON departures (season_id, id);

-- How grades follow in a season. Marks are hundredths.
CREATE TABLE grade_rules (
    season_id BIGINT PRIMARY KEY REFERENCES seasons (id) ON DELETE CASCADE,
    first_out BIGINT NOT NULL,
    last_out BIGINT NOT NULL,
    guaranteed BIGINT NOT NULL,
    finalist BIGINT NOT NULL,
    -- How many of the last are finalists at least.
    finalists BIGINT NOT NULL,
    without_player BIGINT NOT NULL
);

-- Marks that an instructor has given by hand.
CREATE TABLE grade_corrections (
    season_id BIGINT NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    mark BIGINT NOT NULL,
    reason TEXT NOT NULL,
    actor_id BIGINT NOT NULL REFERENCES accounts (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (season_id, account_id)
);
