-- Matches have a new purpose. SQLite cannot change a check, but drops it with its column.
ALTER TABLE matches ADD COLUMN played_for TEXT NOT NULL DEFAULT '';
UPDATE matches SET played_for = purpose;
DROP INDEX matches_by_purpose;
ALTER TABLE matches DROP COLUMN purpose;
ALTER TABLE matches RENAME COLUMN played_for TO purpose;
CREATE INDEX matches_by_purpose ON matches (purpose, id);

-- The ladder of a season: how many matches it has had, what one takes, in
-- microseconds, and since when nothing is left to learn.
CREATE TABLE ladders (
    season_id BIGINT PRIMARY KEY REFERENCES seasons (id) ON DELETE CASCADE,
    played BIGINT NOT NULL DEFAULT 0,
    match_us BIGINT NOT NULL DEFAULT 0,
    rests_since BIGINT
);

-- The players on it.
CREATE TABLE contenders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id BIGINT NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    -- Empty for a player that comes with the game.
    submission_id BIGINT UNIQUE REFERENCES submissions (id),
    account_id BIGINT REFERENCES accounts (id),
    name TEXT NOT NULL,
    -- The rating and its uncertainty, and what is sure of it: all in millionths.
    mean BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    strength BIGINT NOT NULL,
    -- Matches in each seat, and how many were won alone.
    seat0 BIGINT NOT NULL DEFAULT 0,
    seat1 BIGINT NOT NULL DEFAULT 0,
    seat2 BIGINT NOT NULL DEFAULT 0,
    seat3 BIGINT NOT NULL DEFAULT 0,
    wins BIGINT NOT NULL DEFAULT 0,
    -- Matches that were given up because it took far too long.
    overruns BIGINT NOT NULL DEFAULT 0,
    joined_at BIGINT NOT NULL,
    -- Why it is not on the ladder any more.
    out_reason TEXT
);
CREATE UNIQUE INDEX contenders_of_game ON contenders (season_id, name) WHERE submission_id IS NULL;
CREATE INDEX contenders_by_strength ON contenders (season_id, strength) WHERE out_reason IS NULL;
CREATE INDEX contenders_by_season ON contenders (season_id);

-- Ratings over time, in fewer and fewer points.
CREATE TABLE rating_points (
    contender_id BIGINT NOT NULL REFERENCES contenders (id) ON DELETE CASCADE,
    -- After so many matches.
    played BIGINT NOT NULL,
    mean BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (contender_id, played)
);

-- The matches of the ladder whose replays are kept, and for whom.
CREATE TABLE ladder_replays (
    submission_id BIGINT NOT NULL REFERENCES submissions (id),
    match_id BIGINT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    PRIMARY KEY (submission_id, match_id)
);
CREATE INDEX ladder_replays_by_match ON ladder_replays (match_id);

-- Public players, of whom there are few.
CREATE INDEX public_players ON submissions (season_id, id) WHERE public_at IS NOT NULL;

-- Lists that take no longer when they are long.
CREATE INDEX matches_by_season_and_purpose ON matches (season_id, purpose, id);
CREATE INDEX seats_by_name ON seats (LOWER(name), match_id);
CREATE INDEX submissions_by_stage ON submissions (stage, id);
CREATE INDEX submissions_by_season_and_stage ON submissions (season_id, stage, id);
CREATE INDEX submissions_retired ON submissions (id) WHERE retired_at IS NOT NULL;
CREATE INDEX submissions_of_season ON submissions (season_id, id);
CREATE INDEX actions_by_kind ON actions (action, id);
-- What is looked for now and then by whoever keeps the store in order.
CREATE INDEX matches_uncounted ON matches (id) WHERE played = 1 AND cpu IS NULL AND replay IS NOT NULL AND thinned_at IS NULL;
CREATE INDEX submissions_to_thin ON submissions (decided_at) WHERE stage = 'rejected' AND thinned_at IS NULL;
-- What people and seasons keep, without their sources being read.
CREATE INDEX submissions_kept_by_account ON submissions (account_id, bytes, thinned_at);
CREATE INDEX submissions_kept_by_season ON submissions (season_id, bytes, thinned_at);
