-- The replay of a small match of training: a file of its own would take as long as the
-- match. It comes last, so that nothing else of a row is behind it.
ALTER TABLE matches ADD COLUMN small_replay BLOB;
