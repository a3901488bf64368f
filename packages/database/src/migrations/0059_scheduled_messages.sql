-- A message that waits for its time is a row that nobody sees among what was said, and gets its number when it is left.
ALTER TABLE messages
  ADD COLUMN send_at timestamptz,
  -- The message by which somebody tried again what did not arrive.
  ADD COLUMN tried_again_as uuid,
  DROP CONSTRAINT messages_of_ours,
  ADD CONSTRAINT messages_of_ours CHECK (
    (state IS NULL OR state = 'scheduled' OR send_no IS NOT NULL OR (state = 'cancelled' AND send_at IS NOT NULL))
    AND (send_no IS NULL OR state IS NOT NULL) AND (state IS NULL OR (direction = 'out' AND purpose IS NOT NULL))
    AND (state IS NULL OR state IN ('scheduled', 'queued', 'sending', 'accepted', 'refused', 'cancelled', 'unknown'))
    AND (state IS DISTINCT FROM 'scheduled' OR send_at IS NOT NULL)) NOT VALID;
--> statement-breakpoint
ALTER TABLE messages VALIDATE CONSTRAINT messages_of_ours;
--> statement-breakpoint
CREATE INDEX messages_scheduled ON messages (send_at) WHERE state = 'scheduled';
--> statement-breakpoint
CREATE INDEX messages_scheduled_of ON messages (workspace_id, send_at, id) WHERE state = 'scheduled';
--> statement-breakpoint
-- What waits for its time was not said yet, and what a person took back before it left never was.
CREATE OR REPLACE FUNCTION is_said(m messages) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT m.target_id IS NULL AND m.group_id IS NULL AND m.type <> 'reaction' AND m.state IS DISTINCT FROM 'scheduled'
       AND (m.state IS DISTINCT FROM 'cancelled' OR m.error_code IS DISTINCT FROM 'withdrawn') $$;
