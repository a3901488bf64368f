-- When the clock begins a trigger next; null for triggers that facts begin.
ALTER TABLE flow_triggers ADD COLUMN next_at timestamptz;
--> statement-breakpoint
CREATE INDEX flow_triggers_next ON flow_triggers (next_at) WHERE next_at IS NOT NULL;
--> statement-breakpoint
-- A start for many contacts at once: they are looked up a slice at a time, in the order of their ids. An occurrence of a time, a completed campaign,
-- an import.
CREATE TABLE flow_sweeps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  version integer NOT NULL,
  trigger_id text NOT NULL,
  -- What began it: an occurrence, or the id of a fact. Once for each trigger.
  source text NOT NULL,
  -- Which contacts (packages/api/src/automation/engine/sweeps), and what the starts bring.
  chosen jsonb NOT NULL,
  "values" jsonb NOT NULL,
  depth smallint NOT NULL,
  at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  after_id uuid,
  ended_at timestamptz,
  UNIQUE (flow_id, trigger_id, source)
);
--> statement-breakpoint
CREATE INDEX flow_sweeps_due ON flow_sweeps (due_at) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE INDEX flow_sweeps_workspace ON flow_sweeps (workspace_id);
--> statement-breakpoint
SELECT guard_workspace('flow_sweeps');
--> statement-breakpoint
-- Starts that wait for their turn are not looked at until then.
UPDATE flow_starts SET not_before = '-infinity' WHERE not_before IS NULL;
--> statement-breakpoint
ALTER TABLE flow_starts ALTER COLUMN not_before SET DEFAULT '-infinity', ALTER COLUMN not_before SET NOT NULL;
--> statement-breakpoint
DROP INDEX flow_starts_open;
--> statement-breakpoint
CREATE INDEX flow_starts_due ON flow_starts (not_before) WHERE state = 'open';
