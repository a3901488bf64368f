-- Filters and order of the inbox's list under a name (docs/decisions/052-words-of-messages-by-week.md).
CREATE TABLE conversation_views (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Whose own it is; everybody's where it is null.
  user_id uuid,
  name text NOT NULL,
  -- As the list is asked. Labels, teams and people that it names may be gone.
  query jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX conversation_views_shared ON conversation_views (workspace_id, lower(name)) WHERE user_id IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX conversation_views_own ON conversation_views (workspace_id, user_id, lower(name)) WHERE user_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('conversation_views');
