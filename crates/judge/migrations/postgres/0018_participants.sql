-- Who has a player in a season: to be counted author by author, not player by player.
CREATE INDEX accepted_authors ON submissions (season_id, account_id) WHERE stage = 'accepted' AND retired_at IS NULL;
