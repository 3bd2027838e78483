-- Workers on other machines. Of a token only the public half of its key is kept.
CREATE TABLE workers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- What instructors call it.
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    -- Whose machine it is.
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    public_key TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    suspended_at BIGINT,
    suspended_why TEXT NOT NULL DEFAULT '',
    version TEXT NOT NULL DEFAULT '',
    cores BIGINT NOT NULL DEFAULT 0,
    seen_at BIGINT,
    matches BIGINT NOT NULL DEFAULT 0,
    -- Matches in a minute, lately.
    pace BIGINT NOT NULL DEFAULT 0,
    -- Answers that somebody else was asked for, too, and those that were wrong.
    checked BIGINT NOT NULL DEFAULT 0,
    disagreed BIGINT NOT NULL DEFAULT 0
);

-- Results that one worker told and nobody else was asked for, by the hashes of
-- their replays.
CREATE TABLE worker_results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    worker_id BIGINT NOT NULL REFERENCES workers (id),
    replay TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- When its match was offered to be played again.
    offered_at BIGINT
);
CREATE INDEX worker_results_of_worker ON worker_results (worker_id, id);
CREATE INDEX worker_results_by_replay ON worker_results (replay);
CREATE INDEX worker_results_by_age ON worker_results (created_at);
