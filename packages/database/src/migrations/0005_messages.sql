-- One row per message of a conversation: what customers wrote and what staff answered.
CREATE TABLE messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  channel_id uuid NOT NULL REFERENCES channels ON DELETE CASCADE,
  contact_id uuid REFERENCES contacts ON DELETE CASCADE,
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  provider_message_id text NOT NULL,
  type text NOT NULL,
  text text,
  payload jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, provider_message_id)
);
--> statement-breakpoint
CREATE INDEX messages_of_contact ON messages (contact_id, occurred_at DESC);
--> statement-breakpoint
SELECT guard_workspace('messages');
--> statement-breakpoint
-- Every other platform event, and every status that carries no tag of ours, in the platform's own words.
CREATE TABLE platform_events (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  channel_id uuid REFERENCES channels ON DELETE CASCADE,
  kind text NOT NULL,
  dedup_key text NOT NULL,
  payload jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, dedup_key)
);
--> statement-breakpoint
SELECT guard_workspace('platform_events');
