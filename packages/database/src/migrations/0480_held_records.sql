-- Records that wait until the plan of the workspace has room for more contacts.
ALTER TABLE integration_records ADD COLUMN is_held boolean NOT NULL DEFAULT false;
--> statement-breakpoint
DROP INDEX integration_records_pending;
--> statement-breakpoint
CREATE INDEX integration_records_pending ON integration_records (workspace_id, integration_id, id) WHERE is_pending AND NOT is_held;
--> statement-breakpoint
CREATE INDEX integration_records_held ON integration_records (workspace_id, integration_id, id) WHERE is_held;
--> statement-breakpoint
UPDATE integration_runs SET counts = counts || '{"held": 0}' WHERE NOT counts ? 'held';
