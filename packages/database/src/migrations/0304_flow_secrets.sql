-- Secrets that steps send in headers. Flow files hold references; the value is sealed, and goes to the origin alone that it was entered for.
CREATE TABLE flow_secrets (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  origin text NOT NULL,
  sealed text NOT NULL,
  -- Keyed by the installation: the same secret is stored once.
  fingerprint text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (workspace_id, fingerprint)
);
--> statement-breakpoint
SELECT guard_workspace('flow_secrets');
