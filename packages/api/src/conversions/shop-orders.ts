import type { ApiDependencies } from '../platform/request-context.ts';
import type { FactConsumer } from '../platform/facts/fact-consumer.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { conversionLimits } from '@app/domain/conversions/conversion-settings';
import { recordConversion } from './record-conversion.ts';

const AT_ONCE = 500;
/** The same order after the shop was connected anew. */
const EXTERNAL_ID = `g.kind || '/' || i.external_id`;

/** Orders of connected shops become conversions as they are heard of. */
export const shopOrders: FactConsumer = {
  name: 'shop-orders',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['contact.service_event'],
  async handle(page, facts) {
    for (const fact of facts) {
      const { itemId } = fact.values;
      if (typeof itemId === 'string') await recordOrders(page.causedBy(fact), [itemId]);
    }
  },
};

/** Orders that no event told of, such as those that came late: within the longest window after a click. And what was cancelled since. */
export async function recordLateOrders(parts: ApiDependencies): Promise<void> {
  const { rows } = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    client.query<{ workspace_id: string; ids: string[] }>(
      `SELECT workspace_id, array_agg(id) AS ids FROM (
         SELECT i.workspace_id, i.id FROM integration_items i JOIN integrations g ON g.workspace_id = i.workspace_id AND g.id = i.integration_id
           LEFT JOIN conversions v ON v.workspace_id = i.workspace_id AND v.source = 'shop' AND v.external_id = ${EXTERNAL_ID}
          WHERE i.type = 'order' AND i.contact_id IS NOT NULL AND i.occurred_at > $1::timestamptz - make_interval(days => $2)
            AND CASE WHEN v.id IS NULL THEN i.status NOT IN ('cancelled', 'refunded') AND EXISTS (
                  SELECT FROM link_clicks c WHERE c.workspace_id = i.workspace_id AND c.contact_id = i.contact_id AND c.clicked_at <= i.occurred_at)
                ELSE (v.cancelled_at IS NULL) = (i.status IN ('cancelled', 'refunded')) END
          LIMIT ${AT_ONCE}) AS due GROUP BY 1`,
      [parts.clock(), conversionLimits.windowDays.most],
    ),
  );
  await sweepEach(parts, rows, ({ workspace_id: workspaceId, ids }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, (scope) => recordOrders(scope, ids)),
  );
}

type Order = {
  /** As of the conversion. */
  id: string;
  contactId: string;
  title: string;
  amount: string | null;
  currency: string | null;
  at: Date;
  isCancelled: boolean;
  hasClick: boolean;
};

/** An order is a conversion where its contact clicked before it: without a click no message can have led to it. */
async function recordOrders(scope: WorkspaceScope, itemIds: readonly string[]): Promise<void> {
  const { rows } = await scope.query<Order>(
    `SELECT ${EXTERNAL_ID} AS id, i.contact_id AS "contactId", i.title, i.amount::text, i.currency, i.occurred_at AS at, i.status IN ('cancelled', 'refunded') AS "isCancelled",
            EXISTS (SELECT FROM link_clicks c WHERE c.workspace_id = i.workspace_id AND c.contact_id = i.contact_id AND c.clicked_at <= i.occurred_at) AS "hasClick"
       FROM integration_items i JOIN integrations g ON g.workspace_id = i.workspace_id AND g.id = i.integration_id
        JOIN contacts k ON k.workspace_id = i.workspace_id AND k.id = i.contact_id
      WHERE i.workspace_id = $1 AND i.id = ANY ($2::uuid[]) AND i.type = 'order' ORDER BY i.id`,
    [scope.workspaceId, itemIds],
  );
  for (const { id, contactId, title, amount, currency, at, isCancelled, hasClick } of rows) {
    const value = amount === null || currency === null ? null : { amount, currency };
    if (hasClick && !isCancelled)
      await recordConversion(scope, {
        ...{ contactId, source: 'shop', externalId: id, name: title.slice(0, conversionLimits.name) },
        ...{ value, occurredAt: at },
      });
    await scope.query(
      `UPDATE conversions SET cancelled_at = CASE WHEN $3 THEN coalesce(cancelled_at, $4) END, value = $5, currency = $6
        WHERE workspace_id = $1 AND source = 'shop' AND external_id = $2`,
      [scope.workspaceId, id, isCancelled, scope.clock(), value?.amount ?? null, value?.currency ?? null],
    );
  }
}
