-- What the platform called lately and what it heard, for people who look whether the connection works. Beside the hot path: rows are
-- written in groups behind the answer, and a busy time is told by some of its calls.
CREATE TABLE webhook_calls (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Of the channels that it is about.
  kind text NOT NULL,
  at timestamptz NOT NULL,
  state text NOT NULL,
  -- What we answered, and how long that took.
  status integer NOT NULL,
  milliseconds integer NOT NULL,
  bytes integer NOT NULL,
  -- The form of the body, in which everything that people wrote or are called is blanked. Null where nobody proved who calls.
  outline text
);
--> statement-breakpoint
CREATE INDEX webhook_calls_newest ON webhook_calls (workspace_id, at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('webhook_calls');
