-- What staff write to each other in a conversation; the contact never sees it (docs/decisions/058-notes-presence-and-speed.md).
CREATE TABLE conversation_notes (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  conversation_id uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
  author_id uuid REFERENCES users ON DELETE SET NULL,
  author_name text NOT NULL,
  body text NOT NULL,
  -- `[{kind, id, name}]` of people and teams, with the name that stands in the text.
  mentions jsonb NOT NULL DEFAULT '[]',
  -- What it said before, the oldest first: `[{body, at}]`.
  earlier jsonb NOT NULL DEFAULT '[]',
  version integer NOT NULL DEFAULT 1,
  at timestamptz NOT NULL,
  edited_at timestamptz,
  -- Its words went with it; the row says to copies that were made before that it is gone.
  deleted_at timestamptz
);
--> statement-breakpoint
-- The order of the chat, in which they stand between messages.
CREATE INDEX conversation_notes_place ON conversation_notes (conversation_id, at, id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX conversation_notes_conversation ON conversation_notes (conversation_id);
--> statement-breakpoint
CREATE INDEX conversation_notes_author ON conversation_notes (author_id);
--> statement-breakpoint
SELECT guard_workspace('conversation_notes');
--> statement-breakpoint
ALTER TABLE deleted_contacts ADD COLUMN conversation_notes jsonb NOT NULL DEFAULT '[]';
