-- Keys with which programs call in a person's name (docs/decisions/045-api-keys.md). They go with the membership of that person.
CREATE TABLE api_keys (
  -- Drawn by whoever makes the key: another workspace's says nothing.
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- The part of the key that is shown, and by which it is found.
  prefix text NOT NULL UNIQUE,
  -- SHA-256 of the whole key, which is random and long: nothing slower is needed.
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  -- Addresses and networks (CIDR) from which it may be used; none says all.
  allowed_addresses text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz,
  -- To a minute.
  last_used_at timestamptz,
  last_used_address text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES memberships ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX api_keys_newest ON api_keys (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX api_keys_of_person ON api_keys (workspace_id, user_id);
--> statement-breakpoint
SELECT guard_workspace('api_keys');
