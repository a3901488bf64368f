-- Connections that hear of events have lines among the endpoints of webhooks: one of their own, and one for each address that the service subscribed.
ALTER TABLE webhook_endpoints
  ADD COLUMN integration_id uuid,
  ADD FOREIGN KEY (workspace_id, integration_id) REFERENCES integrations ON DELETE CASCADE;
--> statement-breakpoint
CREATE UNIQUE INDEX webhook_endpoints_line ON webhook_endpoints (workspace_id, integration_id, url) WHERE integration_id IS NOT NULL;
--> statement-breakpoint
-- A fact about several people is one delivery for each of them there.
ALTER TABLE webhook_deliveries ADD COLUMN part integer NOT NULL DEFAULT 0;
--> statement-breakpoint
DROP INDEX webhook_deliveries_fact;
--> statement-breakpoint
CREATE UNIQUE INDEX webhook_deliveries_fact ON webhook_deliveries (workspace_id, endpoint_id, fact_id, part) WHERE fact_id IS NOT NULL;
--> statement-breakpoint
-- Which events a connection hears of, and where at the service they go.
ALTER TABLE integrations ADD COLUMN topics text[], ADD COLUMN target jsonb;
--> statement-breakpoint
-- Where at the service a conversation is talked about, such as a thread of a channel.
CREATE TABLE connector_threads (
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  conversation_id uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
  -- The channel and the thread, as the service names them.
  target text NOT NULL,
  thread text NOT NULL,
  -- The newest message that was told.
  told_until timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, endpoint_id, conversation_id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX connector_threads_of_service ON connector_threads (workspace_id, endpoint_id, target, thread);
--> statement-breakpoint
CREATE INDEX connector_threads_of_conversation ON connector_threads (conversation_id);
--> statement-breakpoint
SELECT guard_workspace('connector_threads');
