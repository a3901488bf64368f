-- 0: an agent's reply, 1: a bot or a program that answers one person, 2: what flows send to many. Within a sender, and within a conversation, the
-- lowest goes first.
ALTER TABLE messages
  ADD COLUMN priority smallint NOT NULL DEFAULT 0,
  -- What it belongs to, such as the run of a flow, as a path: whoever names the path, or the beginning of it, finds what waits.
  ADD COLUMN source text COLLATE "C";
--> statement-breakpoint
DROP INDEX messages_to_send;
--> statement-breakpoint
CREATE INDEX messages_to_send ON messages (priority, send_no) WHERE state IN ('queued', 'sending');
--> statement-breakpoint
DROP INDEX messages_to_send_of;
--> statement-breakpoint
CREATE INDEX messages_to_send_of ON messages (contact_id, channel_id, priority, send_no) WHERE state IN ('queued', 'sending');
--> statement-breakpoint
CREATE INDEX messages_open_of_source ON messages (workspace_id, source)
  WHERE source IS NOT NULL AND state IN ('scheduled', 'queued', 'sending');
--> statement-breakpoint
-- From when on the sender takes a message of flows again: beside a campaign they have a small share of its rate.
ALTER TABLE delivery_channels ADD COLUMN next_flow_at timestamptz;
