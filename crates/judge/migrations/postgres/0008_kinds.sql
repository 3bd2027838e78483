-- A new kind of work needs no change of the tables.
ALTER TABLE jobs DROP CONSTRAINT jobs_kind_check;
