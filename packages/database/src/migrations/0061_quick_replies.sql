-- Texts that people send often (docs/decisions/056-drafts-and-quick-replies.md).
CREATE TABLE quick_replies (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Whose own it is; everybody's where it is null.
  owner_id uuid,
  -- What is typed behind the slash, in small letters.
  shortcut text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  media_id uuid REFERENCES media,
  buttons text[] NOT NULL DEFAULT '{}',
  folder text,
  language text,
  used integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  FOREIGN KEY (workspace_id, owner_id) REFERENCES memberships ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX quick_replies_shared ON quick_replies (workspace_id, shortcut) WHERE owner_id IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX quick_replies_own ON quick_replies (workspace_id, owner_id, shortcut) WHERE owner_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX quick_replies_media ON quick_replies (media_id) WHERE media_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('quick_replies');
