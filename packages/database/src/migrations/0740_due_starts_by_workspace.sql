-- Due starts are found by workspace and class: a batch no longer reads all that is due.
DROP INDEX flow_starts_due;
--> statement-breakpoint
CREATE INDEX flow_starts_due ON flow_starts (workspace_id, class, not_before, id) WHERE state = 'open';
