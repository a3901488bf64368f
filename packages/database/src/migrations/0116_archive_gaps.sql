-- What an archive should hold and does not: files that rows speak of and the store has lost, and secrets that the key does not open.
ALTER TABLE workspace_archives
  ADD COLUMN missing_files integer NOT NULL DEFAULT 0,
  ADD COLUMN locked_secrets integer NOT NULL DEFAULT 0;
