-- Files of single messages: what people sent, which is fetched from the platform, and what staff upload to send. A row that waits is its
-- own queue. Messages of a deleted contact are put aside and come back under their ids, so no foreign key takes the files with them.
CREATE TABLE message_files (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Null for an upload that was not sent yet.
  message_id uuid,
  -- Whose message it is of.
  contact_id uuid,
  -- Who uploaded it.
  user_id uuid REFERENCES users ON DELETE SET NULL,
  channel_id uuid REFERENCES channels ON DELETE SET NULL,
  kind text NOT NULL CHECK (kind IN ('image', 'video', 'audio', 'document', 'sticker')),
  -- What the platform or the browser said until the bytes are here; from then on what they are.
  mime_type text,
  name text,
  size bigint CHECK (size >= 0),
  -- Of the bytes, hexadecimal.
  sha256 text,
  voice boolean NOT NULL DEFAULT false,
  animated boolean NOT NULL DEFAULT false,
  -- Under what the platform has it, for this channel, and until when.
  platform_id text,
  platform_expires_at timestamptz,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'fetching', 'stored', 'expired', 'failed', 'too_large', 'refused')),
  error_code text,
  attempts smallint NOT NULL DEFAULT 0,
  -- Not before that moment it is tried again.
  next_try_at timestamptz,
  width integer,
  height integer,
  duration_ms integer,
  -- How loud a voice message is over its length, 0 to 100.
  waveform smallint[],
  -- Keys of the media store. Files of equal bytes share one.
  content text,
  thumbnail text,
  created_at timestamptz NOT NULL DEFAULT now(),
  stored_at timestamptz,
  -- Its message is gone, for good unless the contact comes back.
  message_gone_at timestamptz,
  CONSTRAINT message_files_stored CHECK (state <> 'stored' OR (content IS NOT NULL AND size IS NOT NULL AND sha256 IS NOT NULL
    AND mime_type IS NOT NULL AND stored_at IS NOT NULL))
);
--> statement-breakpoint
SELECT guard_workspace('message_files');
--> statement-breakpoint
CREATE INDEX message_files_message ON message_files (message_id) WHERE message_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX message_files_contact ON message_files (contact_id) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
-- What waits to be fetched: a queue that is empty most of the time.
CREATE INDEX message_files_to_fetch ON message_files (channel_id, next_try_at, id) WHERE state IN ('waiting', 'fetching');
--> statement-breakpoint
CREATE INDEX message_files_same ON message_files (workspace_id, sha256) WHERE state = 'stored';
--> statement-breakpoint
CREATE INDEX message_files_content ON message_files (content) WHERE content IS NOT NULL;
--> statement-breakpoint
CREATE INDEX message_files_thumbnail ON message_files (thumbnail) WHERE thumbnail IS NOT NULL;
--> statement-breakpoint
CREATE INDEX message_files_uploads ON message_files (workspace_id, user_id, created_at) WHERE message_id IS NULL;
--> statement-breakpoint
CREATE INDEX message_files_gone ON message_files (message_gone_at) WHERE message_gone_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX message_files_channel ON message_files (channel_id);
--> statement-breakpoint
-- Bytes whose row is gone, whoever took it away; they are removed when no other row has them. Its workspace may be gone as well.
CREATE TABLE message_file_leavings (
  workspace_id uuid NOT NULL,
  storage_key text NOT NULL,
  left_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
SELECT guard_workspace('message_file_leavings');
--> statement-breakpoint
CREATE INDEX message_file_leavings_key ON message_file_leavings (storage_key);
--> statement-breakpoint
CREATE FUNCTION leave_file_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_file_leavings (workspace_id, storage_key)
  SELECT g.workspace_id, k.storage_key FROM gone g CROSS JOIN LATERAL (VALUES (g.content), (g.thumbnail)) AS k (storage_key)
   WHERE k.storage_key IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leave_file_bytes AFTER DELETE ON message_files REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION leave_file_bytes();
--> statement-breakpoint
CREATE FUNCTION part_files_from_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE message_files f SET message_gone_at = now() FROM gone g WHERE f.message_id = g.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER part_files_from_messages AFTER DELETE ON messages REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_files_from_messages();
