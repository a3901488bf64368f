-- How many receipts and readings of a run the contacts know of, as their last message, and when that was
-- (docs/decisions/084-campaigns-as-last-message.md).
ALTER TABLE delivery_runs ADD COLUMN noted_results integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE delivery_runs ADD COLUMN noted_at timestamptz;
