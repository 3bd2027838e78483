-- Times are milliseconds since 1970, in UTC. Truth values are 0 and 1.

CREATE TABLE course (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    title TEXT NOT NULL,
    -- Words that no player's name may contain, one per line.
    refused_words TEXT NOT NULL
);

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    team TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('student', 'instructor', 'spectator')),
    language TEXT NOT NULL,
    password TEXT,
    locked INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
);

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The SHA-256 of the token: who reads this table cannot sign in with it.
    token TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    csrf TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id);

-- Links that let somebody choose a password, once.
CREATE TABLE links (
    token TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invite', 'reset')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
);

CREATE TABLE seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    game TEXT NOT NULL,
    config TEXT NOT NULL,
    match_ms INTEGER NOT NULL,
    round_ms INTEGER,
    memory_mib INTEGER NOT NULL,
    source_kib INTEGER NOT NULL,
    opens_at INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    official_at INTEGER NOT NULL,
    -- Markdown; empty for the rules that come with the game.
    rules TEXT NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE TABLE submissions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    -- Empty while no name could be read from the source.
    name TEXT NOT NULL,
    -- The name in small letters, which is what must be unique.
    name_key TEXT NOT NULL,
    file_name TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('cpp', 'rust')),
    source BLOB NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN ('waiting', 'compiling', 'playing', 'accepted', 'rejected')),
    -- Why it was rejected: a word for the pages, and what it is about.
    reason TEXT,
    detail TEXT,
    module TEXT,
    seed INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    decided_at INTEGER,
    verdicts INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX submissions_by_account ON submissions (account_id, season_id);
CREATE INDEX submissions_by_season ON submissions (season_id, stage);
-- An accepted player reserves its name for ever.
CREATE UNIQUE INDEX accepted_names ON submissions (season_id, name_key) WHERE stage = 'accepted';

CREATE TABLE matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('official', 'verification', 'training', 'demonstration')),
    -- The submission that a match verifies, and the place of the match among its five.
    submission_id INTEGER REFERENCES submissions (id),
    step INTEGER,
    seed INTEGER NOT NULL,
    played INTEGER NOT NULL DEFAULT 0,
    rounds INTEGER,
    replay TEXT,
    -- Whoever has this may watch the match.
    share TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    played_at INTEGER
);
CREATE UNIQUE INDEX matches_by_submission ON matches (submission_id, step);
CREATE INDEX matches_by_season ON matches (season_id, id);

CREATE TABLE seats (
    match_id INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Empty for a player that comes with the game.
    submission_id INTEGER REFERENCES submissions (id),
    score INTEGER,
    rank INTEGER,
    -- Millionths of the CPU limit, -1 for a frozen seat.
    cpu INTEGER,
    fault_round INTEGER,
    fault TEXT,
    -- What the player wrote, in the store.
    output TEXT,
    PRIMARY KEY (match_id, seat)
);
CREATE INDEX seats_by_submission ON seats (submission_id);

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('compile', 'match')),
    subject INTEGER NOT NULL,
    -- For whom it is done: nobody's hundred jobs go before another's first.
    account_id INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    -- Jobs of one submission have one batch, and a batch begun is finished first.
    batch INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'parked')),
    lease TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    takes INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    UNIQUE (kind, subject)
);
CREATE INDEX jobs_by_state ON jobs (state, priority);

-- When somebody's work was last taken up.
CREATE TABLE turns (
    account_id INTEGER PRIMARY KEY,
    taken_at INTEGER NOT NULL
);
