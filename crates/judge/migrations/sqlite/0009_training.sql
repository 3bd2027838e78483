-- Training: friends, players that anybody may meet, sets of matches.

-- Whom somebody has listed. Two are friends when each has listed the other.
CREATE TABLE friends (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    friend_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, friend_id)
);
CREATE INDEX friends_by_friend ON friends (friend_id, account_id);

-- Since when anybody may meet a player. It is never taken back.
ALTER TABLE submissions ADD COLUMN public_at BIGINT;

-- The link by which its author gives the module of a player out, and to whom.
ALTER TABLE submissions ADD COLUMN module_link TEXT;
ALTER TABLE submissions ADD COLUMN module_for TEXT CHECK (module_for IN ('everybody', 'friends'));
CREATE UNIQUE INDEX submissions_by_module_link ON submissions (module_link) WHERE module_link IS NOT NULL;

-- Sets of matches that somebody asked for.
CREATE TABLE trainings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id BIGINT NOT NULL REFERENCES seasons (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    seating TEXT NOT NULL CHECK (seating IN ('turning', 'fixed')),
    -- The first seed; the others follow it.
    seed BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    -- Matches that were given up because a player ran past its time.
    given_up BIGINT NOT NULL DEFAULT 0,
    -- What its matches left in the store, and when that was given up.
    bytes BIGINT NOT NULL DEFAULT 0,
    thinned_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX trainings_by_account ON trainings (account_id, id);
CREATE INDEX trainings_by_age ON trainings (created_at) WHERE thinned_at IS NULL;

-- The four that meet, and the seats that they begin in.
CREATE TABLE training_players (
    training_id BIGINT NOT NULL REFERENCES trainings (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    name TEXT NOT NULL,
    submission_id BIGINT REFERENCES submissions (id),
    PRIMARY KEY (training_id, place)
);
CREATE INDEX training_players_by_submission ON training_players (submission_id, training_id);

ALTER TABLE matches ADD COLUMN training_id BIGINT REFERENCES trainings (id);
CREATE INDEX matches_by_training ON matches (training_id, id) WHERE training_id IS NOT NULL;
