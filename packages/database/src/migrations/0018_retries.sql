-- Which runs were made of the failed recipients of another campaign. It stays when the campaign of the retry is deleted: whoever
-- got the message from it has it.
ALTER TABLE delivery_runs ADD COLUMN retry_of uuid;
--> statement-breakpoint
UPDATE delivery_runs r SET retry_of = (c.audience ->> 'failedOf')::uuid FROM campaigns c
  WHERE c.id = r.campaign_id AND c.audience ->> 'failedOf' IS NOT NULL;
--> statement-breakpoint
CREATE INDEX delivery_runs_retries ON delivery_runs (workspace_id, retry_of) WHERE retry_of IS NOT NULL;
