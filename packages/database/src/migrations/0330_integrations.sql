-- Connections to other services (docs/guides/integrations.md).
CREATE TABLE integrations (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  -- Of the registry of connectors; one account of each.
  kind text NOT NULL,
  status text NOT NULL CHECK (status IN ('connected', 'disconnected', 'error')),
  -- Why it shows an error, or what is not well without being one.
  problem text,
  problem_detail text,
  -- Null while it is disconnected.
  credentials jsonb,
  -- What the vendor calls the account.
  account text,
  -- The end of the first secret, for people to recognise.
  key_hint text,
  frequency text NOT NULL DEFAULT 'hourly' CHECK (frequency IN ('realtime', 'hourly', 'daily', 'weekly')),
  mapping jsonb NOT NULL DEFAULT '[]',
  -- Whether contacts that are only here are created there, and of which tag.
  creates_there boolean NOT NULL DEFAULT false,
  creates_tag text,
  -- Nothing is exchanged before a person has seen what the first sync would do.
  is_started boolean NOT NULL DEFAULT false,
  -- Where the next run begins at the vendor.
  cursor text,
  failures integer NOT NULL DEFAULT 0,
  checked_at timestamptz,
  next_run_at timestamptz,
  last_synced_at timestamptz,
  last_duration_ms integer,
  records_synced bigint NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, kind)
);
--> statement-breakpoint
CREATE INDEX integrations_due ON integrations (next_run_at) WHERE next_run_at IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('integrations');
--> statement-breakpoint
CREATE TABLE integration_runs (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  integration_id uuid NOT NULL,
  trigger text NOT NULL CHECK (trigger IN ('preview', 'person', 'schedule', 'event', 'retry')),
  status text NOT NULL CHECK (status IN ('running', 'waiting', 'done', 'failed', 'cancelled')),
  phase text NOT NULL CHECK (phase IN ('retry', 'pull', 'apply', 'push')),
  -- Where its phase goes on after a process ended.
  place text,
  counts jsonb NOT NULL,
  -- Of a preview: the first records with what would become of them.
  sample jsonb NOT NULL DEFAULT '[]',
  problem text,
  problem_detail text,
  -- Of one that waits for the vendor.
  resume_at timestamptz,
  started_by text NOT NULL DEFAULT '',
  started_at timestamptz NOT NULL,
  -- Of its last step.
  touched_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, integration_id) REFERENCES integrations ON DELETE CASCADE
);
--> statement-breakpoint
-- One run of a connection at a time.
CREATE UNIQUE INDEX integration_runs_open ON integration_runs (workspace_id, integration_id) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE INDEX integration_runs_newest ON integration_runs (workspace_id, integration_id, started_at DESC, id DESC);
--> statement-breakpoint
SELECT guard_workspace('integration_runs');
--> statement-breakpoint
-- Contacts of the vendor, each with the contact that it belongs to.
CREATE TABLE integration_records (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  integration_id uuid NOT NULL,
  -- Null for a contact of ours that the vendor did not take yet.
  external_id text,
  -- Stays after the contact was deleted, so that a sync does not bring it back.
  contact_id uuid,
  -- Deleted at the vendor.
  is_gone boolean NOT NULL DEFAULT false,
  remote_updated_at timestamptz,
  -- The same by our clock, to tell which side edited last.
  remote_edited_at timestamptz,
  -- As the vendor sent it, until it is applied. Null: it has to be fetched.
  remote_values jsonb,
  is_pending boolean NOT NULL DEFAULT false,
  -- Fingerprints: of the number, and of each field as both sides had it after the last sync.
  phone_key text,
  base jsonb,
  said_opt_out boolean NOT NULL DEFAULT false,
  -- The version of the contact that both sides agree on; null: something is yet to be sent.
  contact_version integer,
  error text,
  error_detail text,
  error_side text CHECK (error_side IN ('in', 'out')),
  error_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, integration_id) REFERENCES integrations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX integration_records_external ON integration_records (workspace_id, integration_id, external_id);
--> statement-breakpoint
-- One record of the vendor for one contact.
CREATE UNIQUE INDEX integration_records_contact ON integration_records (workspace_id, integration_id, contact_id)
  WHERE contact_id IS NOT NULL AND NOT is_gone;
--> statement-breakpoint
CREATE INDEX integration_records_person ON integration_records (workspace_id, contact_id) WHERE contact_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX integration_records_pending ON integration_records (workspace_id, integration_id, id) WHERE is_pending;
--> statement-breakpoint
CREATE INDEX integration_records_errors ON integration_records (workspace_id, integration_id, error_at DESC, id DESC) WHERE error IS NOT NULL;
--> statement-breakpoint
CREATE INDEX integration_records_phone ON integration_records (workspace_id, integration_id, phone_key) WHERE phone_key IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('integration_records');
