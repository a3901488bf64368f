-- Which published trigger stands behind the page `/forms/{slug}`. An address belongs to one form of the whole installation.
CREATE TABLE flow_forms (
  slug text PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  trigger_id text NOT NULL
);
--> statement-breakpoint
CREATE INDEX flow_forms_flow ON flow_forms (workspace_id, flow_id);
--> statement-breakpoint
SELECT guard_workspace('flow_forms');
