-- News and incidents, in Markdown, each in the languages of the site. A text that
-- is empty in one language is shown in another.
CREATE TABLE news (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('news', 'incident')),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    title_en TEXT NOT NULL,
    title_ca TEXT NOT NULL,
    title_es TEXT NOT NULL,
    text_en TEXT NOT NULL,
    text_ca TEXT NOT NULL,
    text_es TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    -- When an incident was over; a banner is on every page until then.
    ended_at BIGINT
);
CREATE INDEX open_incidents ON news (id) WHERE kind = 'incident' AND ended_at IS NULL;

-- The course's own links, one per line: a title, a bar, an address.
ALTER TABLE course ADD COLUMN links TEXT NOT NULL DEFAULT '';

-- The latest verdicts, to tell how long one takes.
CREATE INDEX submissions_by_verdict ON submissions (decided_at) WHERE decided_at IS NOT NULL;
