-- Whose turn it is: a submission gets a number when it is handed in, and what
-- has the smallest number goes first. Every submission of an account has a
-- larger one than the one before.
ALTER TABLE jobs ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
-- Among equal turns, what is begun is finished first.
ALTER TABLE jobs ADD COLUMN rank BIGINT NOT NULL DEFAULT 1;
UPDATE jobs SET rank = 0 WHERE kind = 'match';
-- The process that has it, and how often it has said that it lives. A lease is
-- over when this stands still by the clock of whoever waits.
ALTER TABLE jobs ADD COLUMN crew TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN beats BIGINT NOT NULL DEFAULT 0;
-- How long it was told to wait when not_before was written.
ALTER TABLE jobs ADD COLUMN delay BIGINT NOT NULL DEFAULT 0;
-- Failures that were the machine's, though it was well again at once.
ALTER TABLE jobs ADD COLUMN strikes BIGINT NOT NULL DEFAULT 0;
-- Processes that died while they had it, for whatever reason.
ALTER TABLE jobs ADD COLUMN deaths BIGINT NOT NULL DEFAULT 0;
-- Processes that did nothing else and died of it.
ALTER TABLE jobs ADD COLUMN kills BIGINT NOT NULL DEFAULT 0;

DROP INDEX jobs_by_state;
-- None of these grows with the jobs that are done.
CREATE INDEX jobs_ready ON jobs (priority, turn, rank, id) WHERE state = 'waiting' AND not_before = 0;
CREATE INDEX jobs_delayed ON jobs (not_before) WHERE state = 'waiting' AND not_before > 0;
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_unfinished ON jobs (state, priority, id) WHERE state <> 'done';
CREATE INDEX jobs_by_batch ON jobs (batch, account_id, id);

-- The last turn that each account was given; account 0 stands for the turn that
-- was begun last.
DROP TABLE turns;
CREATE TABLE turns (
    account_id BIGINT PRIMARY KEY,
    turn BIGINT NOT NULL
);
INSERT INTO turns (account_id, turn) VALUES (0, 0);

-- The processes that work: how many jobs each has taken, and what keeps it from
-- taking more.
CREATE TABLE crews (
    name TEXT PRIMARY KEY,
    workers BIGINT NOT NULL,
    beats BIGINT NOT NULL DEFAULT 0,
    taken BIGINT NOT NULL DEFAULT 0,
    pause TEXT
);
