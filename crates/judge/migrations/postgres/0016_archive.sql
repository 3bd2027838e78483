-- Seasons that are over and kept out of the way.
ALTER TABLE seasons ADD COLUMN archived_at BIGINT;

-- What was done lately.
CREATE INDEX jobs_done ON jobs (finished_at) WHERE state = 'done';
