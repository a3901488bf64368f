-- What somebody has begun to write to a contact (docs/decisions/056-drafts-and-quick-replies.md). As messages, drafts belong to
-- contact and channel, so that one outlives a deletion and comes back with its contact.
CREATE TABLE conversation_drafts (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  kind text NOT NULL,
  -- One writing, from its first letter until it is sent; the device that begins it draws it.
  writing_id uuid NOT NULL,
  body text NOT NULL,
  reply_to uuid,
  -- Sent or given up: kept for a while, so that what was saved too late brings nothing back.
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, user_id, contact_id, channel_id, kind),
  FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX conversation_drafts_contact ON conversation_drafts (contact_id);
--> statement-breakpoint
CREATE INDEX conversation_drafts_saved ON conversation_drafts (saved_at);
--> statement-breakpoint
SELECT guard_workspace('conversation_drafts');
