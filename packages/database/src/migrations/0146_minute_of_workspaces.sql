-- When the next message of a workspace with a limit for each minute may leave, whichever of its numbers it leaves through: moments are handed out one
-- after the other (docs/decisions/089-limits-of-the-workspace.md).
CREATE TABLE delivery_minutes (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  next_at timestamptz NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
SELECT guard_workspace('delivery_minutes');
