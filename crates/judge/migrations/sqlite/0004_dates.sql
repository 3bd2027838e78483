-- Until when players are taken, and how many seconds late one may be.
ALTER TABLE seasons ADD COLUMN closes_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seasons ADD COLUMN grace_s INTEGER NOT NULL DEFAULT 120;
UPDATE seasons SET closes_at = deadline_at;

-- Somebody who may submit to a season for longer than the others.
CREATE TABLE exceptions (
    season_id INTEGER NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    until_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (season_id, account_id)
);

-- A retired player takes part in nothing and does not reserve its name.
ALTER TABLE submissions ADD COLUMN retired_at INTEGER;
ALTER TABLE submissions ADD COLUMN retired_reason TEXT;
-- The example of which the source is a copy but for its name.
ALTER TABLE submissions ADD COLUMN example TEXT;
DROP INDEX accepted_names;
CREATE UNIQUE INDEX accepted_names ON submissions (season_id, name_key) WHERE stage = 'accepted' AND retired_at IS NULL;
CREATE INDEX submissions_by_time ON submissions (account_id, created_at);
CREATE INDEX submissions_undecided ON submissions (account_id) WHERE decided_at IS NULL;

-- What people with power have done, and what was allowed out of turn.
CREATE TABLE actions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created_at INTEGER NOT NULL,
    actor_id INTEGER NOT NULL REFERENCES accounts (id),
    action TEXT NOT NULL,
    -- What it is about, as far as it is about any of these.
    account_id INTEGER REFERENCES accounts (id),
    season_id INTEGER REFERENCES seasons (id),
    submission_id INTEGER REFERENCES submissions (id),
    detail TEXT NOT NULL,
    reason TEXT NOT NULL
);

-- Browsers in which somebody has signed in before. The token is a hash.
CREATE TABLE devices (
    token TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (token, account_id)
);
CREATE INDEX devices_by_account ON devices (account_id);
