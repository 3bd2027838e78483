-- A new kind of work needs no change of the tables. SQLite cannot drop a check, so
-- the table is made again.
CREATE TABLE jobs_of_any_kind (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'parked')),
    lease TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    takes INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    turn BIGINT NOT NULL DEFAULT 0,
    rank BIGINT NOT NULL DEFAULT 1,
    crew TEXT NOT NULL DEFAULT '',
    beats BIGINT NOT NULL DEFAULT 0,
    delay BIGINT NOT NULL DEFAULT 0,
    strikes BIGINT NOT NULL DEFAULT 0,
    deaths BIGINT NOT NULL DEFAULT 0,
    kills BIGINT NOT NULL DEFAULT 0,
    overruns INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, subject)
);
INSERT INTO jobs_of_any_kind (id, kind, subject, account_id, priority, batch, state, lease, lease_until, not_before, takes,
    failures, error, created_at, finished_at, turn, rank, crew, beats, delay, strikes, deaths, kills, overruns)
SELECT id, kind, subject, account_id, priority, batch, state, lease, lease_until, not_before, takes,
    failures, error, created_at, finished_at, turn, rank, crew, beats, delay, strikes, deaths, kills, overruns FROM jobs;
DROP TABLE jobs;
ALTER TABLE jobs_of_any_kind RENAME TO jobs;
CREATE INDEX jobs_ready ON jobs (priority, turn, rank, id) WHERE state = 'waiting' AND not_before = 0;
CREATE INDEX jobs_delayed ON jobs (not_before) WHERE state = 'waiting' AND not_before > 0;
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_unfinished ON jobs (state, priority, id) WHERE state <> 'done';
CREATE INDEX jobs_by_batch ON jobs (batch, account_id, id);
