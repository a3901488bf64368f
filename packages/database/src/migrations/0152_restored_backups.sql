-- It was restored into a database of its own, and each table was compared with what was written.
ALTER TABLE installation_backups ADD COLUMN is_restored boolean NOT NULL DEFAULT false;
