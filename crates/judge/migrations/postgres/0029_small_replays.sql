-- The replay of a small match of training: a file of its own would take as long as the
-- match. It is packed as it is, and nobody need try again.
ALTER TABLE matches ADD COLUMN small_replay BYTEA;
ALTER TABLE matches ALTER COLUMN small_replay SET STORAGE EXTERNAL;
