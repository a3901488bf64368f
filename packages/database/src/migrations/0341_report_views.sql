-- What a person looks at in analytics, under a name: period, filters and how they are shown. What it names may be gone.
CREATE TABLE report_views (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- As the address of the page says it.
  query jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX report_views_own ON report_views (workspace_id, user_id, lower(name));
--> statement-breakpoint
SELECT guard_workspace('report_views');
