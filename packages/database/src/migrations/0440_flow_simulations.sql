-- What the draft of a workflow would have done with stored events, against its published version: the last simulation of each workflow.
CREATE TABLE flow_simulations (
  flow_id uuid PRIMARY KEY REFERENCES flows ON DELETE CASCADE,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  made_at timestamptz NOT NULL,
  -- Of the draft, as `flows.version` counts it.
  draft integer NOT NULL,
  -- The number of the published version; null where there was none.
  published integer,
  -- Which events were looked at.
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  summary jsonb NOT NULL
);
--> statement-breakpoint
SELECT guard_workspace('flow_simulations');
--> statement-breakpoint
-- The contacts that the draft treats in another way. Steps and times, and nothing that a contact said.
CREATE TABLE flow_simulation_contacts (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flow_simulations ON DELETE CASCADE,
  place integer NOT NULL,
  -- Null for runs without a contact.
  contact_id uuid,
  difference text NOT NULL,
  draft jsonb NOT NULL,
  published jsonb NOT NULL,
  PRIMARY KEY (flow_id, place)
);
--> statement-breakpoint
CREATE INDEX flow_simulation_contacts_contact ON flow_simulation_contacts (workspace_id, contact_id) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('flow_simulation_contacts');
