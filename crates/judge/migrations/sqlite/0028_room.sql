-- What the other kind of database does about pages that are full.
SELECT 1;
