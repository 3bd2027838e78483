-- How often the match of a job was given up because a player took far more CPU
-- than its fuel stands for.
ALTER TABLE jobs ADD COLUMN overruns BIGINT NOT NULL DEFAULT 0;
