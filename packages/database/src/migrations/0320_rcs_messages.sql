-- Messages with cards and suggestions that are written once and sent often.
CREATE TABLE rcs_messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  -- In the form of its type; of a draft as far as it was written.
  content jsonb NOT NULL,
  -- What the list and the search see of the content.
  line text NOT NULL,
  status text NOT NULL,
  category text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX rcs_messages_newest ON rcs_messages (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE UNIQUE INDEX rcs_messages_name ON rcs_messages (workspace_id, lower(name));
--> statement-breakpoint
SELECT guard_workspace('rcs_messages');
