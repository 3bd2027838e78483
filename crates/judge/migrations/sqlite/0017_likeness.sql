-- What is enough of a source to find others like it: of every accepted player,
-- and of sources of earlier years that an instructor brought.
CREATE TABLE sketches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Empty for a source of an earlier year.
    submission_id BIGINT UNIQUE REFERENCES submissions (id),
    account_id BIGINT REFERENCES accounts (id),
    -- Sources of one game are compared; those of earlier years, where it is empty, with all.
    game TEXT NOT NULL,
    -- By what all sources of one author are known: the number of the account, or
    -- a name that begins with a tilde.
    author TEXT NOT NULL,
    sketch BLOB NOT NULL,
    -- Why it cannot be compared.
    refused TEXT,
    -- Of a source of an earlier year.
    name TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT '',
    source BLOB,
    written_at BIGINT
);
CREATE INDEX sketches_by_author ON sketches (game, author, id);
CREATE INDEX sketches_by_account ON sketches (account_id);
CREATE INDEX sketches_refused ON sketches (submission_id) WHERE refused IS NOT NULL;

-- Two authors who share code, by the two sources that are most alike. It belongs
-- to the season of the later one.
CREATE TABLE likenesses (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id BIGINT NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    -- As sketches name them, in their order.
    author_a TEXT NOT NULL,
    author_b TEXT NOT NULL,
    account_a BIGINT NOT NULL REFERENCES accounts (id),
    account_b BIGINT REFERENCES accounts (id),
    sketch_a BIGINT NOT NULL REFERENCES sketches (id),
    sketch_b BIGINT NOT NULL REFERENCES sketches (id),
    -- In millionths: of the smaller source, and of each.
    similarity BIGINT NOT NULL,
    share_a BIGINT NOT NULL,
    share_b BIGINT NOT NULL,
    -- Lines of the longest common run.
    longest BIGINT NOT NULL,
    -- C++ and Rust, which is less certain.
    is_across BIGINT NOT NULL,
    -- The common runs, by lines.
    evidence TEXT NOT NULL,
    -- How they play, if somebody asked.
    behaviour TEXT,
    state TEXT NOT NULL CHECK (state IN ('new', 'review', 'dismissed', 'confirmed')),
    found_at BIGINT NOT NULL,
    UNIQUE (season_id, author_a, author_b)
);
CREATE INDEX likenesses_by_similarity ON likenesses (season_id, similarity, id);
CREATE INDEX likenesses_by_state ON likenesses (season_id, state, similarity, id);
CREATE INDEX likenesses_new ON likenesses (season_id) WHERE state = 'new';
CREATE INDEX likenesses_by_a ON likenesses (sketch_a);
CREATE INDEX likenesses_by_b ON likenesses (sketch_b);

-- What instructors wrote about it, and the state they left it in.
CREATE TABLE likeness_notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    likeness_id BIGINT NOT NULL REFERENCES likenesses (id) ON DELETE CASCADE,
    actor_id BIGINT NOT NULL REFERENCES accounts (id),
    state TEXT NOT NULL,
    note TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX likeness_notes_of ON likeness_notes (likeness_id, id);
