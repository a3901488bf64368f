-- What people are told of, one row for each fact and person (docs/decisions/047-changes-of-a-person.md).
CREATE TABLE notifications (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  -- What it leads to, and the values of its sentence.
  subject uuid,
  "values" jsonb NOT NULL DEFAULT '{}',
  fact_id bigint NOT NULL,
  -- The person wants it in the list, by mail, or both.
  is_listed boolean NOT NULL,
  is_mailed boolean NOT NULL,
  created_at timestamptz NOT NULL,
  read_at timestamptz,
  -- The mail that carries it, and since when that is on its way.
  mail_id uuid,
  mailed_at timestamptz
);
--> statement-breakpoint
-- However often a fact is heard; and the order of the list.
CREATE UNIQUE INDEX notifications_once ON notifications (workspace_id, user_id, fact_id);
--> statement-breakpoint
CREATE INDEX notifications_unread ON notifications (workspace_id, user_id) WHERE read_at IS NULL AND is_listed;
--> statement-breakpoint
CREATE INDEX notifications_unmailed ON notifications (created_at) WHERE is_mailed AND mail_id IS NULL AND read_at IS NULL;
--> statement-breakpoint
CREATE INDEX notifications_mail ON notifications (mail_id) WHERE mail_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('notifications');
