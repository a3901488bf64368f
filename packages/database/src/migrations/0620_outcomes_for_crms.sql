-- Where the outcomes of campaigns were read up to, for a connection that writes them down with its contacts: {completedAt, runNo, seq}; null while they are not wanted.
ALTER TABLE integrations ADD COLUMN outcomes_place jsonb;
--> statement-breakpoint
-- New events begin with new connections: those that are here hear of what they heard of before.
UPDATE integrations SET topics = CASE kind WHEN 'salesforce' THEN ARRAY['handoffs', 'optOuts'] ELSE '{}' END
 WHERE kind IN ('salesforce', 'hubspot') AND topics IS NULL AND status <> 'disconnected';
