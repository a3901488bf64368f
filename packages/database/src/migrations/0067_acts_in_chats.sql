-- A chat shows what was done with it between what was said, from the entries of the log, in the order of their times.
DROP INDEX activities_subject;
--> statement-breakpoint
CREATE INDEX activities_subject ON activities (workspace_id, subject_id, occurred_at, id) WHERE subject_id IS NOT NULL;
--> statement-breakpoint
-- Entries that are about many, by each of them.
CREATE TABLE activity_subjects (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  subject_id uuid NOT NULL,
  activity_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, subject_id, occurred_at, activity_id)
);
--> statement-breakpoint
SELECT guard_workspace('activity_subjects');
--> statement-breakpoint
INSERT INTO activity_subjects (workspace_id, subject_id, activity_id, occurred_at)
SELECT a.workspace_id, s::uuid, a.id, a.occurred_at FROM activities a, jsonb_array_elements_text(a."values"->'conversationIds') AS s
 WHERE a.fact_type = 'conversations.changed' ON CONFLICT DO NOTHING;
