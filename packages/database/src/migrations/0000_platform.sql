-- Every table of the product has a workspace_id, and this guard makes the row invisible to a
-- connection that has not named that workspace (app.workspace_id) or declared itself a system
-- process (app.scope = system). A query that forgets its workspace therefore finds nothing.
CREATE FUNCTION guard_workspace(guarded regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', guarded);
  EXECUTE format(
    'CREATE POLICY workspace_guard ON %s USING (
       workspace_id = (SELECT nullif(current_setting(''app.workspace_id'', true), '''')::uuid)
       OR (SELECT current_setting(''app.scope'', true)) = ''system'')', guarded);
END $$;
--> statement-breakpoint
CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text NOT NULL,
  is_sample boolean NOT NULL DEFAULT false,
  settings jsonb NOT NULL DEFAULT '{}',
  role_permissions jsonb NOT NULL DEFAULT '{}',
  trial_ends_at timestamptz,
  plan text NOT NULL DEFAULT 'starter',
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
-- users, sessions, accounts and verifications belong to the installation: they are read before a workspace is known.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  phone_number text,
  is_active boolean NOT NULL DEFAULT true,
  last_login_at timestamptz,
  timezone text NOT NULL DEFAULT 'UTC',
  preferences jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX sessions_user_id ON sessions (user_id);
--> statement-breakpoint
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX accounts_user_id ON accounts (user_id);
--> statement-breakpoint
CREATE TABLE verifications (
  id uuid PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX verifications_identifier ON verifications (identifier);
--> statement-breakpoint
-- Wrong passwords per address, whether or not an account has it: a lock-out must not tell the two apart.
CREATE TABLE sign_in_failures (
  email_hash text PRIMARY KEY,
  failures integer NOT NULL,
  locked_until timestamptz,
  last_failed_at timestamptz NOT NULL
);
--> statement-breakpoint
-- What visitors of the landing page wrote to sales; it belongs to the installation, not to a workspace.
CREATE TABLE sales_enquiries (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  company text NOT NULL DEFAULT '',
  message text NOT NULL,
  ip_address text,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE memberships (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('admin', 'manager', 'agent', 'viewer')),
  requested_role text CHECK (requested_role IN ('admin', 'manager', 'agent', 'viewer')),
  last_seen_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, user_id)
);
--> statement-breakpoint
CREATE INDEX memberships_user_id ON memberships (user_id);
--> statement-breakpoint
SELECT guard_workspace('memberships');
--> statement-breakpoint
CREATE TABLE activities (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id uuid,
  user_name text NOT NULL,
  type text NOT NULL CHECK (type IN
    ('login', 'logout', 'create', 'update', 'delete', 'view', 'send', 'upload', 'download')),
  resource text NOT NULL,
  description text NOT NULL,
  ip_address text,
  user_agent text,
  metadata jsonb NOT NULL DEFAULT '{}',
  occurred_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX activities_newest ON activities (workspace_id, occurred_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('activities');
--> statement-breakpoint
-- What browsers were told, kept for a short while so that a stream can resume after its last id.
CREATE TABLE live_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  topic text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX live_events_workspace ON live_events (workspace_id, id);
--> statement-breakpoint
SELECT guard_workspace('live_events');
--> statement-breakpoint
-- The answer of an act that sends, kept under the key its caller chose: the same key never acts twice.
CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  key text NOT NULL,
  request_hash text NOT NULL,
  response jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, key)
);
--> statement-breakpoint
SELECT guard_workspace('idempotency_keys');
--> statement-breakpoint
-- A number or agent through which messages leave. Secrets are encrypted with SECRET_KEY.
CREATE TABLE channels (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('whatsapp', 'rcs')),
  phone_number_id text NOT NULL,
  business_account_id text NOT NULL,
  app_id text NOT NULL,
  display_phone_number text NOT NULL DEFAULT '',
  graph_base_url text NOT NULL,
  access_token_encrypted text NOT NULL,
  app_secret_encrypted text NOT NULL,
  verify_token_encrypted text NOT NULL,
  is_connected boolean NOT NULL DEFAULT false,
  -- Why the engine stopped this channel (platform error code and plain words); null while it may send.
  stopped_code integer,
  stopped_reason text,
  messages_per_second integer NOT NULL DEFAULT 80 CHECK (messages_per_second > 0),
  last_sync_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, kind, phone_number_id)
);
--> statement-breakpoint
SELECT guard_workspace('channels');
