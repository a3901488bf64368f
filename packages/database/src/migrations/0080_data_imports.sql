-- What the import of a whole file of data came to, beside its act and what it did to contacts (contact_imports).
CREATE TABLE data_imports (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  file_name text NOT NULL,
  prefers text NOT NULL CHECK (prefers IN ('file', 'here')),
  is_dry_run boolean NOT NULL,
  -- Counts by section, and what of them is worth telling. Null until it is done.
  report jsonb,
  -- What takes it back: ids of what was made, and how it stood before of what was changed.
  before jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  undone_at timestamptz
);
--> statement-breakpoint
CREATE INDEX data_imports_newest ON data_imports (workspace_id, created_at DESC);
--> statement-breakpoint
SELECT guard_workspace('data_imports');
