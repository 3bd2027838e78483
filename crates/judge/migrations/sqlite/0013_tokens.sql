-- Tokens with which programs act for somebody. Of a token only its hash is kept.
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    hash TEXT NOT NULL UNIQUE,
    -- What its owner calls it.
    name TEXT NOT NULL,
    -- Words with a blank between them.
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE INDEX tokens_of_account ON tokens (account_id);
