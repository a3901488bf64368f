-- By contact and run, so that what a contact got in a few weeks is found without what they ever got.
CREATE INDEX delivery_recipients_contact_run ON delivery_recipients (contact_id, run_no);
--> statement-breakpoint
DROP INDEX delivery_recipients_contact;
--> statement-breakpoint
-- A report looks for it by itself.
DROP FUNCTION last_campaign_message(uuid, uuid, timestamptz, timestamptz, bigint, bigint, bigint, bigint);
