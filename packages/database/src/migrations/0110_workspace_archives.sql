-- Whole archives of a workspace that somebody asked for; the bytes lie in the media store. One that is being written has no end of its time yet.
CREATE TABLE workspace_archives (
  -- That of its act.
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  with_secrets boolean NOT NULL,
  is_encrypted boolean NOT NULL,
  -- That of its act which wrote it last: each run has a key of its own in the store.
  run integer NOT NULL DEFAULT 0,
  -- Somebody was erased since it began to read.
  is_stale boolean NOT NULL DEFAULT false,
  -- Null until it is whole.
  bytes bigint,
  created_at timestamptz NOT NULL,
  -- Then its bytes go, and the row after them.
  kept_until timestamptz
);
--> statement-breakpoint
CREATE UNIQUE INDEX workspace_archives_written ON workspace_archives (workspace_id) WHERE kept_until IS NULL;
--> statement-breakpoint
CREATE INDEX workspace_archives_due ON workspace_archives (kept_until);
--> statement-breakpoint
CREATE INDEX workspace_archives_newest ON workspace_archives (workspace_id, created_at DESC);
--> statement-breakpoint
SELECT guard_workspace('workspace_archives');
