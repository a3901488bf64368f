-- One message in several languages: `content` is what everybody else gets, `translations` holds the same type by language, and `sends_in` each of them as it leaves.
ALTER TABLE rcs_messages
  ADD COLUMN language text NOT NULL DEFAULT 'en',
  ADD COLUMN translations jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN sends_in jsonb NOT NULL DEFAULT '{}',
  -- Files of the library in any of its languages.
  ADD COLUMN media_ids uuid[] NOT NULL DEFAULT '{}';
--> statement-breakpoint
CREATE INDEX rcs_messages_media ON rcs_messages USING gin (media_ids);
--> statement-breakpoint
CREATE OR REPLACE VIEW channel_contents WITH (security_invoker = true) AS
  SELECT id, workspace_id, 'rcs' AS kind, name, line, status, category IN ('marketing', 'promotional') AS is_marketing,
    sends->>'contentType' AS content_type, sends->'value' AS value, created_at, language, sends_in AS in_languages, media_ids
  FROM rcs_messages;
