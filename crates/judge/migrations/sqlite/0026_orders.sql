-- What matches were ordered with, each once: a result that is doubted later is
-- played again with this, whatever its season is by then.
CREATE TABLE worker_orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Of all that follows.
    hash TEXT NOT NULL UNIQUE,
    config TEXT NOT NULL,
    match_ms BIGINT NOT NULL,
    round_ms BIGINT,
    memory_mib BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
ALTER TABLE worker_results ADD COLUMN order_id BIGINT REFERENCES worker_orders (id);
-- The hashes of the modules by seat, separated by commas; empty for a player of the game.
ALTER TABLE worker_results ADD COLUMN modules TEXT NOT NULL DEFAULT '';
CREATE INDEX worker_results_of_order ON worker_results (order_id);
