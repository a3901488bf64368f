-- Outgoing webhooks (docs/guides/webhooks.md).
CREATE TABLE webhook_endpoints (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- None: every kind of event.
  event_types text[] NOT NULL DEFAULT '{}',
  per_second smallint NOT NULL,
  -- Sealed. While both are there, both sign.
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz,
  paused_at timestamptz,
  pause_reason text CHECK (pause_reason IN ('person', 'failing', 'gone', 'restored')),
  -- Failures in a row of deliveries in the line.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  -- No delivery is sent before.
  hold_until timestamptz,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  -- When the sender has to look again; null: not before something changes.
  next_due_at timestamptz,
  -- The process that sends for this endpoint at the moment.
  lease_owner uuid,
  lease_until timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
--> statement-breakpoint
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (next_due_at) WHERE next_due_at IS NOT NULL;
--> statement-breakpoint
SELECT guard_workspace('webhook_endpoints');
--> statement-breakpoint
CREATE TABLE webhook_deliveries (
  -- The header webhook-id.
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- The order of the line.
  line_no bigint GENERATED ALWAYS AS IDENTITY,
  -- Null for a test event.
  fact_id bigint,
  type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  -- As it is sent and signed; null once a person whom it names was erased.
  body text,
  contact_ids uuid[] NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed', 'cancelled')),
  is_in_line boolean NOT NULL DEFAULT true,
  -- Sent although the endpoint is paused or held: a person asked for it.
  is_manual boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  -- Of those since it was last asked for: it is given up three days later.
  first_attempt_at timestamptz,
  next_attempt_at timestamptz NOT NULL,
  settled_at timestamptz,
  -- Of the last attempt.
  response_status integer,
  failure_reason text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX webhook_deliveries_fact ON webhook_deliveries (workspace_id, endpoint_id, fact_id) WHERE fact_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_line ON webhook_deliveries (workspace_id, endpoint_id, line_no) WHERE status = 'waiting' AND is_in_line;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_beside ON webhook_deliveries (workspace_id, endpoint_id, next_attempt_at) WHERE status = 'waiting' AND NOT is_in_line;
--> statement-breakpoint
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (workspace_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (workspace_id, endpoint_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX webhook_deliveries_contacts ON webhook_deliveries USING gin (contact_ids);
--> statement-breakpoint
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
--> statement-breakpoint
SELECT guard_workspace('webhook_deliveries');
--> statement-breakpoint
CREATE TABLE webhook_attempts (
  workspace_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer,
  -- `begun` while it is on its way.
  outcome text NOT NULL CHECK (outcome IN ('begun', 'ok', 'rejected', 'not_sent', 'unknown')),
  reason text,
  url text NOT NULL,
  request_headers jsonb NOT NULL,
  response_status integer,
  response_headers jsonb,
  response_body text,
  is_response_cut boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, delivery_id, number),
  FOREIGN KEY (workspace_id, delivery_id) REFERENCES webhook_deliveries ON DELETE CASCADE
);
--> statement-breakpoint
SELECT guard_workspace('webhook_attempts');
