-- A result is stored where its match and its seats are, so that no index of theirs
-- but that of replays has anything to do with it: every page has room for it.
ALTER TABLE seats SET (fillfactor = 50);
