-- Reports that people without a sign-in see, until a time (docs/decisions/124-reports-for-people-outside.md). What opens one is no row: it is the id with
-- a mark under the key of the server.
CREATE TABLE report_links (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Who made it; it opens as long as this member may read analytics.
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- As the address of the page says it.
  query jsonb NOT NULL,
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX report_links_newest ON report_links (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('report_links');
