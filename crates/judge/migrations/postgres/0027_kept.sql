-- What somebody keeps in a season: the sums of the submissions there, so that nobody has
-- to go through them.
CREATE TABLE kept (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    season_id BIGINT NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    submissions BIGINT NOT NULL,
    -- Those that have given up everything but source and results.
    thinned BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (account_id, season_id)
);
CREATE INDEX kept_by_season ON kept (season_id);
INSERT INTO kept (account_id, season_id, submissions, thinned, bytes)
SELECT account_id, season_id, COUNT(*), COUNT(thinned_at), SUM(bytes) FROM submissions GROUP BY account_id, season_id;
DROP INDEX submissions_kept_by_account;
DROP INDEX submissions_kept_by_season;
