-- How long a workspace keeps what (docs/decisions/074-how-long-data-is-kept.md). Rows come in the order of their times, so a few pages tell where
-- old ones lie, and an arriving one costs next to nothing.
CREATE INDEX messages_by_time ON messages USING brin (occurred_at) WITH (autosummarize = on);
--> statement-breakpoint
CREATE INDEX message_files_by_time ON message_files USING brin (created_at) WITH (autosummarize = on);
--> statement-breakpoint
CREATE INDEX platform_events_by_time ON platform_events USING brin (received_at) WITH (autosummarize = on);
--> statement-breakpoint
-- Messages before that moment are kept no more; null where none has gone.
ALTER TABLE conversations ADD COLUMN kept_since timestamptz;
--> statement-breakpoint
-- `removed`: it was kept as long as the workspace wants it kept.
ALTER TABLE message_files DROP CONSTRAINT message_files_state_check;
--> statement-breakpoint
ALTER TABLE message_files ADD CONSTRAINT message_files_state_check
  CHECK (state IN ('waiting', 'fetching', 'stored', 'expired', 'failed', 'too_large', 'refused', 'removed')) NOT VALID;
--> statement-breakpoint
ALTER TABLE message_files VALIDATE CONSTRAINT message_files_state_check;
