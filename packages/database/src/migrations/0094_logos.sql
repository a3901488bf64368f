-- Pictures of the business, drawn anew as squares; settings name them by their id. The same picture is one row.
CREATE TABLE logos (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  sha256 text NOT NULL,
  content bytea NOT NULL,
  -- When somebody last sent or chose it: what no settings name goes a day later.
  used_at timestamptz NOT NULL,
  UNIQUE (workspace_id, sha256)
);
--> statement-breakpoint
SELECT guard_workspace('logos');
--> statement-breakpoint
-- The picture that was last handed to the platform of the number: it is not sent again with every change of words.
ALTER TABLE profile_pushes ADD COLUMN logo_id uuid;
