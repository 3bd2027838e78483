-- What is kept on account of a submission: its source, its module, and the
-- replays and the output of the matches that verified it, in bytes.
ALTER TABLE submissions ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
-- When everything but the source and the results was given up.
ALTER TABLE submissions ADD COLUMN thinned_at BIGINT;
UPDATE submissions SET bytes = LENGTH(source);

-- The CPU that each seat used in each round, as `film` packs it.
ALTER TABLE matches ADD COLUMN cpu BYTEA;
-- When its replay and the output of its players were given up. The hashes stay.
ALTER TABLE matches ADD COLUMN thinned_at BIGINT;
-- What was given up and may still be in the store.
CREATE TABLE leavings (
    hash TEXT PRIMARY KEY,
    since BIGINT NOT NULL
);

-- Who refers to something in the store.
CREATE INDEX matches_by_replay ON matches (replay);
CREATE INDEX seats_by_output ON seats (output);
CREATE INDEX submissions_by_module ON submissions (module);

-- What the store has lost, and what became of it.
CREATE TABLE losses (
    hash TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('module', 'replay', 'output')),
    -- The submission of a module, the match of everything else.
    subject BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('found', 'restored', 'lost')),
    note TEXT NOT NULL,
    found_at BIGINT NOT NULL,
    ended_at BIGINT
);
