-- One fact may be news of several subjects to one person, and replies that nobody has read are one row for each person and conversation,
-- or for each person of all that nobody has in hand (docs/decisions/068-telling-people.md).
DROP INDEX notifications_once;
--> statement-breakpoint
CREATE UNIQUE INDEX notifications_once ON notifications (workspace_id, user_id, fact_id, subject) NULLS NOT DISTINCT;
--> statement-breakpoint
CREATE UNIQUE INDEX notifications_bundle ON notifications (workspace_id, user_id, subject) NULLS NOT DISTINCT
  WHERE kind = 'new_replies' AND read_at IS NULL;
--> statement-breakpoint
-- By the conversation that was read.
CREATE INDEX notifications_replies ON notifications (workspace_id, subject) WHERE kind = 'new_replies' AND read_at IS NULL;
--> statement-breakpoint
-- Of which stop of a number people were told: a row as long as it lasts.
CREATE TABLE told_stops (
  channel_id uuid PRIMARY KEY REFERENCES channels ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  code text NOT NULL,
  told_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX told_stops_workspace ON told_stops (workspace_id);
--> statement-breakpoint
SELECT guard_workspace('told_stops');
