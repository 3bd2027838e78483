-- Seasons that are over and kept out of the way.
ALTER TABLE seasons ADD COLUMN archived_at BIGINT;
