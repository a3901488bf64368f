-- A platform has a file for one number of ours, under an id that means nothing to another (docs/decisions/064-files-as-streams.md).
CREATE TABLE media_copies (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  media_id uuid NOT NULL REFERENCES media ON DELETE CASCADE,
  channel_id uuid NOT NULL REFERENCES channels ON DELETE CASCADE,
  platform_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (media_id, channel_id)
);
--> statement-breakpoint
CREATE INDEX media_copies_channel ON media_copies (channel_id);
--> statement-breakpoint
SELECT guard_workspace('media_copies');
--> statement-breakpoint
-- They were uploaded through the number that sends: the oldest that is connected, else the oldest.
INSERT INTO media_copies (workspace_id, media_id, channel_id, platform_id, expires_at)
SELECT m.workspace_id, m.id, c.id, m.platform_media_id, m.platform_expires_at FROM media m
 CROSS JOIN LATERAL (SELECT id FROM channels WHERE workspace_id = m.workspace_id ORDER BY NOT is_connected, created_at, id LIMIT 1) AS c
 WHERE m.platform_media_id IS NOT NULL AND m.platform_expires_at IS NOT NULL;
--> statement-breakpoint
ALTER TABLE media DROP COLUMN platform_media_id, DROP COLUMN platform_expires_at;
--> statement-breakpoint
-- A draft names its files by their ids, and has its buttons.
ALTER TABLE conversation_drafts ADD COLUMN files jsonb NOT NULL DEFAULT '[]', ADD COLUMN buttons jsonb NOT NULL DEFAULT '[]';
