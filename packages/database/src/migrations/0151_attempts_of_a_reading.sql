-- Whoever receives the file of an archive anew, after the one before fell silent, has a number and bytes of their own.
ALTER TABLE archive_readings ADD COLUMN attempt integer NOT NULL DEFAULT 0;
