import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { webhookBody, webhookEventTypes } from '@app/domain/webhook-endpoints/webhook-events';
import type { FactConsumer, StoredFact } from '../platform/facts/fact-consumer.ts';
import { deliveriesOfLines } from './connector-deliveries.ts';
import { contactsOf, type NewDelivery } from './new-delivery.ts';

/** Writes down which endpoint is to hear of which fact, in the order of the facts. What is written is sent by `webhook-sender.ts`. */
export const enqueueDeliveries: FactConsumer = {
  name: 'outgoing-webhooks',
  order: 'subject',
  atDepthLimit: 'hear',
  types: webhookEventTypes,
  async handle(scope, facts) {
    const { rows: endpoints } = await scope.query<{
      id: string;
      event_types: string[];
      is_line: boolean;
      is_hook: boolean;
    }>(
      `SELECT e.id, e.event_types, e.integration_id IS NOT NULL AS is_line, e.url <> '' AS is_hook
         FROM webhook_endpoints e LEFT JOIN integrations i ON i.workspace_id = e.workspace_id AND i.id = e.integration_id
        WHERE e.workspace_id = $1 AND (e.integration_id IS NULL OR i.status <> 'disconnected') ORDER BY e.id`,
      [scope.workspaceId],
    );
    const isWanted = (types: readonly string[], type: string) => types.length === 0 || types.includes(type);
    const plain = endpoints
      .filter(({ is_line: isLine }) => !isLine)
      .flatMap(({ id, event_types: types }) =>
        facts
          .filter(({ type }) => isWanted(types, type))
          .map((fact) => ({ ...deliveryOf(fact), endpoint_id: id })),
      );
    const lines = endpoints.filter(({ is_line: isLine, event_types: types }) => isLine && types.length > 0);
    const wanted = [...plain, ...(await deliveriesOfLines(scope, lines, facts))];
    if (wanted.length > 0) await insertDeliveries(scope, scope.workspaceId, wanted, scope.clock());
  },
};

/** In the order of the list, and once for each fact. Wakes the sender of their endpoints. */
export async function insertDeliveries(
  scope: SqlQueries,
  workspaceId: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  // The endpoints first, as the sender locks them.
  await wakeSender(scope, workspaceId, deliveries, now);
  await scope.query(
    `INSERT INTO webhook_deliveries (workspace_id, id, endpoint_id, fact_id, part, type, occurred_at, body, contact_ids, is_manual, is_in_line,
                                     next_attempt_at, created_at)
     SELECT $1, d.id, d.endpoint_id, d.fact_id, coalesce(d.part, 0), d.type, d.occurred_at, d.body, ARRAY(SELECT jsonb_array_elements_text(d.contact_ids)::uuid),
            d.is_manual, NOT d.is_manual, $3, $3
       FROM ROWS FROM (jsonb_to_recordset($2::jsonb)
              AS (id uuid, endpoint_id uuid, fact_id bigint, type text, occurred_at timestamptz, body text, contact_ids jsonb, is_manual boolean, part integer))
            WITH ORDINALITY AS d (id, endpoint_id, fact_id, type, occurred_at, body, contact_ids, is_manual, part, place)
      ORDER BY d.place
     ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(deliveries), now],
  );
}

/** The sender looks at these endpoints now; at one that is paused only for what a person asked for. */
export async function wakeSender(
  scope: SqlQueries,
  workspaceId: string,
  deliveries: readonly { endpoint_id: string; is_manual: boolean }[],
  now: Date,
): Promise<void> {
  const idsOf = (some: typeof deliveries) => [...new Set(some.map(({ endpoint_id: id }) => id))].toSorted();
  await scope.query(
    `UPDATE webhook_endpoints SET next_due_at = least(coalesce(next_due_at, $3), $3)
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND (paused_at IS NULL OR id = ANY ($4::uuid[]))`,
    [workspaceId, idsOf(deliveries), now, idsOf(deliveries.filter(({ is_manual: isManual }) => isManual))],
  );
}

function deliveryOf(fact: StoredFact): Omit<NewDelivery, 'endpoint_id'> {
  const { id, type, occurredAt } = fact;
  const at = new Date(occurredAt).toISOString();
  return {
    ...{ id: newId(), fact_id: id, type, occurred_at: at, contact_ids: contactsOf(fact), is_manual: false },
    body: webhookBody({ ...fact, occurredAt: at }),
  };
}
