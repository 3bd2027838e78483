-- How often the player in a seat of an official match ran far past its CPU time.
-- After the second time it is barred: see `official::overruns`.
CREATE TABLE overruns (
    match_id BIGINT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat BIGINT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (match_id, seat)
);

-- Lists of matches go along the matches of each purpose, the newest first.
CREATE INDEX matches_by_purpose ON matches (purpose, id);
-- What somebody may see of training begins with the submissions of that person.
DROP INDEX seats_by_submission;
CREATE INDEX seats_by_submission ON seats (submission_id, match_id);
