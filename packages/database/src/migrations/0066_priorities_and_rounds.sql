-- How urgent a conversation is; the most urgent are few, and a list of them is one reading of an index.
ALTER TABLE conversations
  ADD COLUMN priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
  -- The target that the clock of the resolution runs by.
  ADD COLUMN resolution_minutes integer;
--> statement-breakpoint
CREATE INDEX conversations_by_priority ON conversations (workspace_id, priority, last_activity_at DESC, id DESC) WHERE NOT is_archived AND priority <> 'normal';
--> statement-breakpoint
UPDATE conversations c SET resolution_minutes = (s.settings->'targets'->>'resolutionMinutes')::integer
  FROM inbox_settings s WHERE s.workspace_id = c.workspace_id AND c.resolution_due_at IS NOT NULL;
--> statement-breakpoint
-- What came of each time that somebody opened a conversation: when and by whom it was answered and resolved, and whether in time
-- (docs/decisions/063-priorities-rounds-and-acts.md). Kept when the conversation goes: nothing in it tells of a person who wrote.
CREATE TABLE conversation_rounds (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  conversation_id uuid NOT NULL,
  opened_at timestamptz NOT NULL,
  first_answered_at timestamptz,
  first_answer_due_at timestamptz,
  first_answer_by uuid,
  resolved_at timestamptz,
  resolution_due_at timestamptz,
  resolved_by uuid,
  assignee_id uuid,
  team_id uuid,
  channel_id uuid NOT NULL,
  priority text NOT NULL,
  -- Null without a target, and while it is not answered or resolved.
  is_answered_in_time boolean,
  is_resolved_in_time boolean,
  PRIMARY KEY (conversation_id, opened_at)
);
--> statement-breakpoint
CREATE INDEX conversation_rounds_time ON conversation_rounds (workspace_id, opened_at);
--> statement-breakpoint
SELECT guard_workspace('conversation_rounds');
--> statement-breakpoint
INSERT INTO conversation_rounds (workspace_id, conversation_id, opened_at, first_answered_at, first_answer_due_at, first_answer_by,
    resolved_at, resolution_due_at, assignee_id, team_id, channel_id, priority, is_answered_in_time, is_resolved_in_time)
SELECT c.workspace_id, c.id, c.begun_at, c.first_answered_at, c.first_answer_due_at,
       (SELECT m.author_id::uuid FROM messages m WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id AND m.direction = 'out'
           AND is_said(m) AND m.author = 'person' AND m.occurred_at = c.first_answered_at ORDER BY m.id LIMIT 1),
       c.resolved_at, c.resolution_due_at, c.assignee_id, c.team_id, c.channel_id, c.priority,
       CASE WHEN c.first_answer_due_at IS NOT NULL THEN c.first_answered_at <= c.first_answer_due_at END,
       CASE WHEN c.resolution_due_at IS NOT NULL AND c.resolved_at IS NOT NULL THEN c.resolution_left_ms IS NOT NULL END
  FROM conversations c WHERE c.begun_at IS NOT NULL AND (c.first_answered_at IS NOT NULL OR c.resolved_at IS NOT NULL);
