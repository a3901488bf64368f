-- The address at which another service begins runs: `POST /hooks/{token}`. Who has it may call it; a secret beside it is asked for where there is one.
CREATE TABLE flow_hooks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  flow_id uuid NOT NULL REFERENCES flows ON DELETE CASCADE,
  trigger_id text NOT NULL,
  token text NOT NULL UNIQUE,
  -- Keyed by the installation: the secret itself is not stored.
  secret_hash text,
  calls bigint NOT NULL DEFAULT 0,
  last_call_at timestamptz,
  -- The last body, for people who pick values from it.
  sample jsonb,
  created_at timestamptz NOT NULL,
  UNIQUE (flow_id, trigger_id)
);
--> statement-breakpoint
CREATE INDEX flow_hooks_workspace ON flow_hooks (workspace_id);
--> statement-breakpoint
SELECT guard_workspace('flow_hooks');
