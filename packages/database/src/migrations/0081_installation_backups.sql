-- Backups of the whole installation that the product takes by itself, newest ones and failures. It belongs to the installation, not to a workspace,
-- and holds nothing of people.
CREATE TABLE installation_backups (
  id uuid PRIMARY KEY,
  -- Name of the file in its folder or bucket; null once it is removed, or when there never was one.
  file_name text,
  state text NOT NULL CHECK (state IN ('running', 'done', 'failed')),
  -- It was read from end to end where it lies, and is whole.
  is_verified boolean NOT NULL DEFAULT false,
  bytes bigint NOT NULL DEFAULT 0,
  error_code text,
  started_at timestamptz NOT NULL,
  ended_at timestamptz
);
--> statement-breakpoint
CREATE INDEX installation_backups_newest ON installation_backups (started_at DESC);
