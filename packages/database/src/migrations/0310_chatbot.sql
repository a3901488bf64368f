-- The chatbot (docs/decisions/115-what-the-bot-says-runs-through-flows.md). Its flows are flows of the engine; beside each stands what people see and edit.
CREATE TABLE bot_settings (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
  settings jsonb NOT NULL,
  -- The flow through which the bot says what no flow of people says.
  answers_flow_id uuid REFERENCES flows ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 0
);
--> statement-breakpoint
SELECT guard_workspace('bot_settings');
--> statement-breakpoint
CREATE TABLE bot_flows (
  -- That of its flow.
  id uuid PRIMARY KEY REFERENCES flows ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- The lowest is asked first.
  priority integer NOT NULL,
  trigger_type text NOT NULL,
  trigger_value text NOT NULL,
  responses jsonb NOT NULL,
  handoffs bigint NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1
);
--> statement-breakpoint
CREATE INDEX bot_flows_by_priority ON bot_flows (workspace_id, priority, id);
--> statement-breakpoint
SELECT guard_workspace('bot_flows');
--> statement-breakpoint
-- Each answer of the bot with the reason for it. A message is answered once: its id is the key. No foreign keys: contacts and messages come and go, and return.
CREATE TABLE bot_answers (
  message_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  contact_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  rule text NOT NULL,
  -- The flow that says it; that of the built-in answers where no flow of people does.
  flow_id uuid,
  flow_name text,
  built_in text,
  keyword text,
  intent text,
  confidence double precision,
  -- Why the conversation was handed over with it.
  handoff text,
  decided_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX bot_answers_of_contact ON bot_answers (workspace_id, contact_id, decided_at DESC);
--> statement-breakpoint
CREATE INDEX bot_answers_by_time ON bot_answers (workspace_id, decided_at DESC);
--> statement-breakpoint
SELECT guard_workspace('bot_answers');
--> statement-breakpoint
-- Conversations in which the bot has a part, the newest first, and those of one status.
CREATE INDEX conversations_of_bot ON conversations (workspace_id, last_activity_at DESC, id DESC) WHERE bot_state IS NOT NULL;
