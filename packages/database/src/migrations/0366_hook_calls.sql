-- The last calls of each address at which other services begin runs: what came, and what became of it. A bounded number of each address is stored.
CREATE TABLE flow_hook_calls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  hook_id uuid NOT NULL REFERENCES flow_hooks ON DELETE CASCADE,
  at timestamptz NOT NULL,
  -- The status that the caller got: 202, or why the call was rejected.
  status smallint NOT NULL,
  -- As `flow_starts` has it, which tells what became of the call; null where it was rejected.
  source text,
  -- Why it began nothing, where there is no start: the code of an error, `not_active` or `repeated`.
  reason text,
  bytes integer NOT NULL,
  -- Values whose names say that they are secrets are masked; null where the call was rejected, or the body was deleted.
  body jsonb
);
--> statement-breakpoint
CREATE INDEX flow_hook_calls_of ON flow_hook_calls (hook_id, id);
--> statement-breakpoint
CREATE INDEX flow_hook_calls_workspace ON flow_hook_calls (workspace_id);
--> statement-breakpoint
SELECT guard_workspace('flow_hook_calls');
