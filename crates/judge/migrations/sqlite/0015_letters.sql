-- Letters to people: those that wait, and what became of the others. Links are made
-- when a letter is sent, so that none is kept here.
CREATE TABLE letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    -- How often somebody has begun to send it, and how often the server refused it.
    takes BIGINT NOT NULL DEFAULT 0,
    tries BIGINT NOT NULL DEFAULT 0,
    not_before BIGINT NOT NULL DEFAULT 0,
    -- What the server said last.
    answer TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    -- When it was sent or given up.
    ended_at BIGINT
);
CREATE INDEX letters_waiting ON letters (not_before, id) WHERE state = 'waiting';
CREATE INDEX letters_of_account ON letters (account_id, id);

-- The instructor's own words of the invitation, in the languages that have some.
CREATE TABLE letter_texts (
    language TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    body TEXT NOT NULL
);

-- One link for everybody of a group. Of its token only the hash is kept.
CREATE TABLE group_links (
    team TEXT PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Who got into an account by the link of a group, without a letter that proves it.
CREATE TABLE claims (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
    team TEXT NOT NULL,
    address TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- When somebody signed in for the first time, with a password or without.
ALTER TABLE accounts ADD COLUMN signed_in_at BIGINT;
