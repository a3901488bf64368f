-- Named rules over contacts. The rules are data of a fixed shape; what they mean is compiled at each use.
CREATE TABLE segments (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  rules jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE UNIQUE INDEX segments_name ON segments (workspace_id, lower(name));
--> statement-breakpoint
SELECT guard_workspace('segments');
