-- Whose turn it is is found by looking once into each workspace that has something waiting, never by reading all that is due.
DROP INDEX flow_runs_due;
--> statement-breakpoint
CREATE INDEX flow_runs_due ON flow_runs (workspace_id, class, due_at) WHERE due_at IS NOT NULL;
