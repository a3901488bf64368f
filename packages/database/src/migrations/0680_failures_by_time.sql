-- Reports ask what failed in a period (packages/database/src/analytics/message-events.ts). Both hold the few rows that failed: no other report
-- of the platform touches them, and updates of other times stay within their page.
CREATE INDEX delivery_recipients_failed ON delivery_recipients (workspace_id, failed_at) WHERE failed_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX messages_failed ON messages (workspace_id, failed_at) WHERE failed_at IS NOT NULL;
--> statement-breakpoint
-- As in 0604, with the index of failures: built on what the table holds before it is attached, so that attaching it locks nobody out.
CREATE OR REPLACE FUNCTION attach_recipients_partition(name text, bounds text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (run_no, seq)', name);
  EXECUTE format('CREATE INDEX ON %I (contact_id, run_no)', name);
  EXECUTE format('CREATE INDEX ON %I (workspace_id, failed_at) WHERE failed_at IS NOT NULL', name);
  EXECUTE format('ALTER TABLE delivery_recipients ATTACH PARTITION %I FOR VALUES %s', name, bounds);
END $$;
