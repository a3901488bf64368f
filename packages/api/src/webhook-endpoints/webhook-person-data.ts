import type { PersonData } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';

/** What was sent about people to receivers of the workspace. */
export const webhookPersonData: PersonData = {
  tables: {
    webhook_deliveries: {
      section: 'webhookDeliveries',
      read: readByTime(
        `SELECT d.created_at AS at, d.id, d.type AS event, d.occurred_at AS "occurredAt", d.settled_at AS "sentAt", d.status,
                coalesce(i.kind, split_part(split_part(e.url, '://', 2), '/', 1)) AS receiver
           FROM webhook_deliveries d JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id
           LEFT JOIN integrations i ON i.workspace_id = e.workspace_id AND i.id = e.integration_id
          WHERE d.workspace_id = $1 AND d.contact_ids && $2::uuid[] AND (d.created_at, d.id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, d.id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
    connector_threads: { leftOut: 'where at a service a conversation is talked about: ids alone' },
    webhook_attempts: { leftOut: 'what receivers answered to those deliveries' },
  },
  /** Body and responses go; what still waits is not sent. That something was sent stays. */
  async erase(scope, { ids }) {
    await scope.query(
      `DELETE FROM connector_threads t USING conversations c
        WHERE t.workspace_id = $1 AND c.workspace_id = $1 AND c.id = t.conversation_id AND c.contact_id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
    await scope.query(
      `UPDATE webhook_attempts a SET response_body = NULL, response_headers = NULL, is_response_cut = true
         FROM webhook_deliveries d
        WHERE d.workspace_id = $1 AND d.contact_ids && $2::uuid[] AND a.workspace_id = d.workspace_id AND a.delivery_id = d.id`,
      [scope.workspaceId, ids],
    );
    await scope.query(
      `UPDATE webhook_deliveries SET body = NULL, contact_ids = '{}',
              status = CASE WHEN status = 'waiting' THEN 'cancelled' ELSE status END,
              settled_at = CASE WHEN status = 'waiting' THEN $3 ELSE settled_at END
        WHERE workspace_id = $1 AND contact_ids && $2::uuid[]`,
      [scope.workspaceId, ids, scope.clock()],
    );
  },
  merge: null,
  unmerge: null,
};
