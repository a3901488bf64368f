import type {
  webhookAttempt,
  webhookDelivery,
} from '@app/contracts/webhook-endpoints/webhook-deliveries-contract';
import { bindTo } from '@app/database/bind-value';
import { containsPattern } from '@app/database/contains-pattern';
import type { DeliveryStatus } from '@app/domain/webhook-endpoints/webhook-rules';
import { isUuid } from '@app/domain/uuid';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { wakeSender } from './enqueue-deliveries.ts';

export type WebhookDelivery = z.infer<typeof webhookDelivery>;
export type WebhookAttempt = z.infer<typeof webhookAttempt>;

type Row = {
  id: string;
  endpoint_id: string;
  type: string;
  occurred_at: Date;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date;
  settled_at: Date | null;
  response_status: number | null;
  failure_reason: string | null;
  created_at: Date;
  body: string | null;
  place: string;
};
type AttemptRow = {
  number: number;
  started_at: Date;
  duration_ms: number | null;
  outcome: WebhookAttempt['outcome'];
  reason: string | null;
  url: string;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  is_response_cut: boolean;
};

const COLUMNS = `d.id, d.endpoint_id, d.type, d.occurred_at, d.status, d.attempts, d.next_attempt_at, d.settled_at, d.response_status,
  d.failure_reason, d.created_at, d.body, ${timeKey('d.created_at')} AS place`;

type Filter = {
  endpointId?: string | undefined;
  /** Of the lines of a connection; without it those of no connection. */
  integrationId?: string | undefined;
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
};

export async function listDeliveries(
  scope: ReadScope,
  { limit, cursor, ...filter }: Filter & { limit: number; cursor?: string | undefined },
): Promise<{ items: WebhookDelivery[]; nextCursor: string | null }> {
  const values: unknown[] = [scope.workspaceId];
  const bind = bindTo(values);
  const ofLine = `EXISTS (SELECT FROM webhook_endpoints e WHERE e.workspace_id = d.workspace_id AND e.id = d.endpoint_id AND e.integration_id`;
  const conditions = [
    'd.workspace_id = $1',
    filter.integrationId
      ? `${ofLine} = ${bind(filter.integrationId, 'uuid')})`
      : `NOT ${ofLine} IS NOT NULL)`,
  ];
  if (filter.endpointId) conditions.push(`d.endpoint_id = ${bind(filter.endpointId, 'uuid')}`);
  if (filter.status) conditions.push(`d.status = ${bind(filter.status, 'text')}`);
  if (filter.type) conditions.push(`d.type = ${bind(filter.type, 'text')}`);
  if (filter.from) conditions.push(`d.created_at >= ${bind(filter.from, 'timestamptz')}`);
  if (filter.to) conditions.push(`d.created_at < ${bind(filter.to, 'timestamptz')}`);
  if (filter.search) conditions.push(searchFor(filter.search, bind));
  const after = readTimeCursor(cursor);
  if (after)
    conditions.push(`(d.created_at, d.id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`);
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE ${conditions.join(' AND ')}
      ORDER BY d.created_at DESC, d.id DESC LIMIT ${bind(limit + 1, 'int')}`,
    values,
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ place, id }) => ({ key: place, id }));
  return { items: items.map(presentDelivery), nextCursor };
}

/** An id finds a delivery, or those that name the contact; other text is looked for in type and body. */
function searchFor(search: string, bind: ReturnType<typeof bindTo>): string {
  if (isUuid(search)) {
    const id = bind(search.toLowerCase(), 'uuid');
    return `(d.id = ${id} OR d.contact_ids @> ARRAY[${id}] OR d.body LIKE ${bind(containsPattern(search.toLowerCase()), 'text')})`;
  }
  const pattern = bind(containsPattern(search.toLowerCase()), 'text');
  return `(d.type LIKE ${pattern} OR lower(d.body) LIKE ${pattern})`;
}

export async function findDelivery(
  scope: ReadScope,
  deliveryId: string,
): Promise<(WebhookDelivery & { body: string | null }) | null> {
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.workspace_id = $1 AND d.id = $2`,
    [scope.workspaceId, deliveryId],
  );
  return rows[0] ? { ...presentDelivery(rows[0]), body: rows[0].body } : null;
}

/** The last hundred attempts, the newest first. */
export async function listAttempts(scope: ReadScope, deliveryId: string): Promise<WebhookAttempt[]> {
  const { rows } = await scope.query<AttemptRow>(
    `SELECT number, started_at, duration_ms, outcome, reason, url, request_headers, response_status, response_headers, response_body,
            is_response_cut
       FROM webhook_attempts WHERE workspace_id = $1 AND delivery_id = $2 ORDER BY number DESC LIMIT 100`,
    [scope.workspaceId, deliveryId],
  );
  return rows.map((row) => ({
    number: row.number,
    startedAt: row.started_at.toISOString(),
    durationMs: row.duration_ms,
    outcome: row.outcome,
    reason: row.reason,
    url: row.url,
    requestHeaders: row.request_headers,
    responseStatus: row.response_status,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    isResponseCut: row.is_response_cut,
  }));
}

/** Has a delivery sent once more, at once and beside the line. One that waits already is only asked for now. */
export async function resendDelivery(
  scope: WorkspaceScope,
  deliveryId: string,
): Promise<'resent' | 'webhook_delivery_not_found' | 'webhook_body_gone'> {
  const now = scope.clock();
  const { rows } = await scope.query<{ endpoint_id: string; has_body: boolean }>(
    `SELECT endpoint_id, body IS NOT NULL AS has_body FROM webhook_deliveries WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, deliveryId],
  );
  const [found] = rows;
  if (!found) return 'webhook_delivery_not_found';
  if (!found.has_body) return 'webhook_body_gone';
  // As the sender does: first the endpoint, then its deliveries.
  await wakeSender(scope, scope.workspaceId, [{ ...found, is_manual: true }], now);
  await scope.query(
    `UPDATE webhook_deliveries SET status = 'waiting', is_in_line = false, is_manual = true, next_attempt_at = $3, first_attempt_at = NULL,
            settled_at = NULL
      WHERE workspace_id = $1 AND id = $2 AND body IS NOT NULL`,
    [scope.workspaceId, deliveryId, now],
  );
  return 'resent';
}

function presentDelivery(row: Row): WebhookDelivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    type: row.type,
    occurredAt: row.occurred_at.toISOString(),
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.status === 'waiting' ? row.next_attempt_at.toISOString() : null,
    settledAt: row.settled_at?.toISOString() ?? null,
    responseStatus: row.response_status,
    failureReason: row.failure_reason,
    createdAt: row.created_at.toISOString(),
  };
}
