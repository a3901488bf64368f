-- What the engine of flows works from (docs/decisions/112-one-flow-engine.md).
-- A contact, or a call, that is to enter a flow. Refused ones stay for a while with their reason.
CREATE TABLE flow_starts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  version integer NOT NULL,
  trigger_id text,
  contact_id uuid,
  channel_id uuid,
  -- What began it, such as the id of a fact: facts come again after a restore.
  source text NOT NULL,
  "values" jsonb NOT NULL,
  class smallint NOT NULL,
  depth smallint NOT NULL,
  is_test boolean NOT NULL DEFAULT false,
  at timestamptz NOT NULL,
  not_before timestamptz,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'started', 'refused')),
  reason text,
  run_id uuid,
  settled_at timestamptz
);
--> statement-breakpoint
CREATE UNIQUE INDEX flow_starts_once ON flow_starts (flow_id, source, contact_id) NULLS NOT DISTINCT;
--> statement-breakpoint
CREATE INDEX flow_starts_open ON flow_starts (class, id) WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX flow_starts_of_contact ON flow_starts (workspace_id, contact_id, id DESC) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX flow_starts_settled ON flow_starts (settled_at) WHERE settled_at IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('flow_starts');
--> statement-breakpoint
-- What came from outside for a run: replies, events, outcomes of effects, acts of people.
CREATE TABLE flow_inputs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  run_id uuid NOT NULL REFERENCES flow_runs ON DELETE CASCADE,
  source text NOT NULL,
  input jsonb NOT NULL,
  at timestamptz NOT NULL,
  is_open boolean NOT NULL DEFAULT true,
  UNIQUE (run_id, source)
);
--> statement-breakpoint
CREATE INDEX flow_inputs_open ON flow_inputs (run_id, id) WHERE is_open;
--> statement-breakpoint
SELECT guard_workspace('flow_inputs');
--> statement-breakpoint
-- What a run asked of the world beyond the database, under its key. The same key is never asked twice.
CREATE TABLE flow_effects (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  run_id uuid NOT NULL REFERENCES flow_runs ON DELETE CASCADE,
  visit integer NOT NULL,
  number integer NOT NULL,
  step_id text NOT NULL,
  kind text NOT NULL,
  -- Keyed by the run: another content under the same key is a fault of the product.
  hash text NOT NULL,
  state text NOT NULL CHECK (state IN ('asked', 'begun', 'done', 'failed', 'unknown')),
  message_id uuid,
  request jsonb,
  outcome jsonb,
  asked_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (run_id, visit, number)
);
--> statement-breakpoint
CREATE UNIQUE INDEX flow_effects_message ON flow_effects (message_id) WHERE message_id IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('flow_effects');
--> statement-breakpoint
-- Who entered which flow; it outlives runs and log.
CREATE TABLE flow_entries (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  contact_id uuid NOT NULL,
  entered_at timestamptz NOT NULL,
  PRIMARY KEY (flow_id, contact_id)
);
--> statement-breakpoint
CREATE INDEX flow_entries_contact ON flow_entries (workspace_id, contact_id);
--> statement-breakpoint
SELECT guard_workspace('flow_entries');
