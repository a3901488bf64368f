ALTER TABLE activities ADD COLUMN search_text text
  GENERATED ALWAYS AS (lower(description || ' ' || user_name || ' ' || resource)) STORED;
--> statement-breakpoint
CREATE INDEX activities_search ON activities USING gin (search_text gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX activities_views ON activities (workspace_id, occurred_at DESC) WHERE type = 'view';
--> statement-breakpoint
-- No mouse, key, scroll or touch for five minutes, as the browser says.
ALTER TABLE memberships ADD COLUMN is_idle boolean NOT NULL DEFAULT false;
--> statement-breakpoint
-- One row per open event stream. A row that is not touched any more belongs to a process that died.
CREATE TABLE presence_streams (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE INDEX presence_streams_workspace ON presence_streams (workspace_id, user_id);
--> statement-breakpoint
SELECT guard_workspace('presence_streams');
