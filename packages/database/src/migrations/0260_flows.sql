-- Flows of automation and bots (docs/decisions/112-one-flow-engine.md). The draft changes while it is edited; published versions never change.
CREATE TABLE flows (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('workflow', 'bot')),
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'paused')),
  -- The flow file that is being edited (docs/guides/flows.md).
  draft jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- The version that new runs get, and the version of the draft that it was made of.
  published integer,
  published_draft integer,
  published_at timestamptz,
  -- Whom a failure is told; kept when that person leaves.
  owner_id uuid,
  triggered bigint NOT NULL DEFAULT 0,
  completed bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  last_triggered_at timestamptz,
  -- The limit that paused it, and the run that reached it.
  paused_for text,
  paused_by_run uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX flows_newest ON flows (workspace_id, kind, created_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('flows');
--> statement-breakpoint
CREATE TABLE flow_versions (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  number integer NOT NULL,
  content jsonb NOT NULL,
  published_at timestamptz NOT NULL,
  published_by uuid,
  published_by_name text NOT NULL,
  PRIMARY KEY (flow_id, number)
);
--> statement-breakpoint
CREATE INDEX flow_versions_workspace ON flow_versions (workspace_id);
--> statement-breakpoint
SELECT guard_workspace('flow_versions');
--> statement-breakpoint
-- The triggers of the current version of each flow, which a page of facts is compared with.
CREATE TABLE flow_triggers (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  trigger_id text NOT NULL,
  version integer NOT NULL,
  type text NOT NULL,
  config jsonb NOT NULL,
  conditions jsonb,
  -- A goal ends runs of the flow and starts none.
  is_goal boolean NOT NULL DEFAULT false,
  PRIMARY KEY (flow_id, trigger_id)
);
--> statement-breakpoint
CREATE INDEX flow_triggers_type ON flow_triggers (workspace_id, type);
--> statement-breakpoint
SELECT guard_workspace('flow_triggers');
--> statement-breakpoint
-- One pass of one contact, or of one call, through one version. No foreign key to contacts: an import holds those for long.
CREATE TABLE flow_runs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  version integer NOT NULL,
  contact_id uuid,
  channel_id uuid,
  trigger_id text,
  status text NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'cancelled')),
  -- What the core made of it last (packages/domain/src/flows/run-state.ts).
  state jsonb NOT NULL,
  step_id text,
  wait text,
  -- 0: a person waits for it, 1: one event, 2: one of many.
  class smallint NOT NULL,
  -- When there is something to do; null while it waits for what comes from outside.
  due_at timestamptz,
  owner text,
  lease_until timestamptz,
  attempt smallint NOT NULL DEFAULT 0,
  seed bigint NOT NULL,
  -- How many facts and runs led to it.
  depth smallint NOT NULL DEFAULT 0,
  is_test boolean NOT NULL DEFAULT false,
  retried_from uuid,
  end_code text,
  started_at timestamptz NOT NULL,
  ended_at timestamptz
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE INDEX flow_runs_due ON flow_runs (class, due_at) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX flow_runs_of_flow ON flow_runs (flow_id, started_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX flow_runs_of_contact ON flow_runs (workspace_id, contact_id, started_at DESC) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX flow_runs_open_of_contact ON flow_runs (contact_id, flow_id) WHERE status = 'running' AND contact_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX flow_runs_ended ON flow_runs (workspace_id, ended_at) WHERE ended_at IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('flow_runs');
--> statement-breakpoint
-- What happened in runs, one row for each visit of a step that is over. A week each, so that old weeks go as a whole.
CREATE TABLE flow_log (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  flow_id uuid NOT NULL,
  visit integer NOT NULL,
  step_id text,
  type text NOT NULL,
  event text NOT NULL,
  exit text,
  code text,
  details jsonb NOT NULL,
  attempt smallint NOT NULL,
  began_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, ended_at, id)
) PARTITION BY RANGE (ended_at);
--> statement-breakpoint
SELECT guard_workspace('flow_log');
--> statement-breakpoint
-- Takes what no week was made for, so that nothing ever fails for want of a partition.
CREATE TABLE flow_log_rest (LIKE flow_log INCLUDING DEFAULTS);
--> statement-breakpoint
SELECT guard_workspace('flow_log_rest');
--> statement-breakpoint
ALTER TABLE flow_log ATTACH PARTITION flow_log_rest DEFAULT;
--> statement-breakpoint
-- Makes the weeks from this one on that are not there yet, Monday to Monday by UTC. Made apart and attached, as the days of facts are.
CREATE FUNCTION ensure_flow_log_weeks(ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first_week date := date_trunc('week', now() AT TIME ZONE 'UTC')::date;
  week date;
  name text;
  from_time timestamptz;
  to_time timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7302119, 1);
  FOR weeks IN 0..ahead LOOP
    week := first_week + weeks * 7;
    name := 'flow_log_' || to_char(week, 'YYYYMMDD');
    from_time := week::timestamp AT TIME ZONE 'UTC';
    to_time := (week + 7)::timestamp AT TIME ZONE 'UTC';
    CONTINUE WHEN to_regclass(name) IS NOT NULL;
    CONTINUE WHEN EXISTS (SELECT FROM flow_log_rest WHERE ended_at >= from_time AND ended_at < to_time);
    EXECUTE format('CREATE TABLE %I (LIKE flow_log INCLUDING DEFAULTS)', name);
    PERFORM guard_workspace(name::regclass);
    EXECUTE format('ALTER TABLE flow_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, from_time, to_time);
  END LOOP;
END $$;
--> statement-breakpoint
SELECT ensure_flow_log_weeks(2);
