-- How many deliveries an endpoint took, so that a card need not count a month of them.
ALTER TABLE webhook_endpoints ADD COLUMN delivered bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
UPDATE webhook_endpoints e SET delivered = d.n
  FROM (SELECT workspace_id, endpoint_id, count(*) AS n FROM webhook_deliveries WHERE status = 'delivered' GROUP BY 1, 2) AS d
 WHERE e.workspace_id = d.workspace_id AND e.id = d.endpoint_id;
--> statement-breakpoint
-- What waits or failed is few, and read with each look at the connections.
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (workspace_id, endpoint_id) WHERE status IN ('waiting', 'failed');
