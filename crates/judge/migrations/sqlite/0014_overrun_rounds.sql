-- The first round in which the player ran past its time: it is frozen from there on.
ALTER TABLE overruns ADD COLUMN round BIGINT NOT NULL DEFAULT 0;
