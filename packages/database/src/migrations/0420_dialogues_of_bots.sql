-- What a bot flow says stands in its flow file alone; the list of its responses is a view of that.
ALTER TABLE bot_flows DROP COLUMN trigger_type, DROP COLUMN trigger_value, DROP COLUMN responses, DROP COLUMN version;
--> statement-breakpoint
-- The run whose question the message answered.
ALTER TABLE bot_answers ADD COLUMN run_id uuid;
