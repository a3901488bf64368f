import type { webhookEndpoint } from '@app/contracts/webhook-endpoints/webhook-endpoints-contract';
import { newId } from '@app/database/new-id';
import { webhookLimits, type PauseReason } from '@app/domain/webhook-endpoints/webhook-rules';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;
export type EndpointParts = Pick<WebhookEndpoint, 'url' | 'description' | 'eventTypes' | 'perSecond'>;

type Row = {
  id: string;
  url: string;
  description: string;
  event_types: string[];
  per_second: number;
  paused_at: Date | null;
  pause_reason: PauseReason | null;
  failing_since: Date | null;
  hold_until: Date | null;
  last_delivered_at: Date | null;
  last_failed_at: Date | null;
  previous_secret_until: Date | null;
  created_at: Date;
  updated_at: Date;
  version: number;
  waiting: string;
  place: string;
};

const COLUMNS = `e.id, e.url, e.description, e.event_types, e.per_second, e.paused_at, e.pause_reason, e.failing_since, e.hold_until,
  e.last_delivered_at, e.last_failed_at, e.previous_secret_until, e.created_at, e.updated_at, e.version, ${timeKey('e.created_at')} AS place,
  (SELECT count(*) FROM webhook_deliveries d WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.status = 'waiting') AS waiting`;

export async function listEndpoints(
  scope: ReadScope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: WebhookEndpoint[]; nextCursor: string | null }> {
  const after = readTimeCursor(cursor);
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM webhook_endpoints e
      WHERE e.workspace_id = $1 AND e.integration_id IS NULL AND ($2::timestamptz IS NULL OR (e.created_at, e.id) < ($2, $3::uuid))
      ORDER BY e.created_at DESC, e.id DESC LIMIT $4`,
    [scope.workspaceId, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ place, id }) => ({ key: place, id }));
  return { items: items.map((row) => present(row, scope.clock())), nextCursor };
}

export async function findEndpoint(scope: ReadScope, endpointId: string): Promise<WebhookEndpoint | null> {
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM webhook_endpoints e WHERE e.workspace_id = $1 AND e.id = $2 AND e.integration_id IS NULL`,
    [scope.workspaceId, endpointId],
  );
  return rows[0] ? present(rows[0], scope.clock()) : null;
}

/** Null: there are as many as a workspace can have. */
export async function addEndpoint(
  scope: WorkspaceScope,
  { url, description, eventTypes, perSecond, secret }: EndpointParts & { secret: string },
): Promise<WebhookEndpoint | null> {
  // Two at once would both find room.
  await scope.query(`SELECT FROM workspaces WHERE id = $1 FOR UPDATE`, [scope.workspaceId]);
  const { rows } = await scope.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM webhook_endpoints WHERE workspace_id = $1 AND integration_id IS NULL',
    [scope.workspaceId],
  );
  if ((rows[0]?.n ?? 0) >= webhookLimits.endpoints) return null;
  const id = newId();
  await scope.query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, description, event_types, per_second, secret, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [id, scope.workspaceId, url, description, eventTypes, perSecond, secret, scope.clock()],
  );
  await scope.emit({ type: 'webhook_endpoint.created', subject: id, values: { host: hostOf(url) } });
  return findEndpoint(scope, id);
}

export async function changeEndpoint(
  scope: WorkspaceScope,
  {
    endpointId,
    version,
    url,
    description,
    eventTypes,
    perSecond,
  }: EndpointParts & {
    endpointId: string;
    version: number;
  },
): Promise<WebhookEndpoint | 'webhook_endpoint_not_found' | 'webhook_endpoint_changed'> {
  const found = await lockEndpoint(scope, endpointId);
  if (!found) return 'webhook_endpoint_not_found';
  if (found.version !== version) return 'webhook_endpoint_changed';
  // Another address deserves a try at once.
  await scope.query(
    `UPDATE webhook_endpoints SET url = $3, description = $4, event_types = $5, per_second = $6, version = version + 1, updated_at = $7,
            hold_until = CASE WHEN url = $3 THEN hold_until END, next_due_at = CASE WHEN url = $3 THEN next_due_at ELSE $7 END
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, endpointId, url, description, eventTypes, perSecond, scope.clock()],
  );
  await scope.emit({ type: 'webhook_endpoint.updated', subject: endpointId, values: { host: hostOf(url) } });
  return (await findEndpoint(scope, endpointId))!; // its row is locked
}

/** Pauses an endpoint. One that is paused stays as it is. */
export async function pauseEndpoint(
  scope: WorkspaceScope,
  { endpointId, url, reason }: { endpointId: string; url: string; reason: PauseReason },
): Promise<void> {
  const { rowCount } = await scope.query(
    `UPDATE webhook_endpoints SET paused_at = $3, pause_reason = $4, updated_at = $3
      WHERE workspace_id = $1 AND id = $2 AND paused_at IS NULL`,
    [scope.workspaceId, endpointId, scope.clock(), reason],
  );
  if (rowCount !== 1) return;
  await scope.emit({
    type: 'webhook_endpoint.paused',
    subject: endpointId,
    values: { host: hostOf(url), reason },
  });
}

/** Resumes an endpoint. What came meanwhile is sent now, in its order, or cancelled. */
export async function resumeEndpoint(
  scope: WorkspaceScope,
  { endpointId, url, waiting }: { endpointId: string; url: string; waiting: 'send' | 'cancel' },
): Promise<void> {
  const now = scope.clock();
  const { rowCount } = await scope.query(
    `UPDATE webhook_endpoints SET paused_at = NULL, pause_reason = NULL, failures = 0, failing_since = NULL, hold_until = NULL,
            next_due_at = $3, updated_at = $3
      WHERE workspace_id = $1 AND id = $2 AND paused_at IS NOT NULL`,
    [scope.workspaceId, endpointId, now],
  );
  if (rowCount !== 1) return;
  await scope.query(
    waiting === 'cancel'
      ? `UPDATE webhook_deliveries SET status = 'cancelled', settled_at = $3 WHERE workspace_id = $1 AND endpoint_id = $2 AND status = 'waiting'`
      : `UPDATE webhook_deliveries SET next_attempt_at = $3, first_attempt_at = NULL
          WHERE workspace_id = $1 AND endpoint_id = $2 AND status = 'waiting' AND attempts > 0`,
    [scope.workspaceId, endpointId, now],
  );
  await scope.emit({ type: 'webhook_endpoint.resumed', subject: endpointId, values: { host: hostOf(url) } });
}

export async function rotateSecret(
  scope: WorkspaceScope,
  {
    endpointId,
    url,
    secret,
    overlapHours,
  }: {
    endpointId: string;
    url: string;
    secret: string;
    overlapHours: number;
  },
): Promise<void> {
  const until = new Date(scope.clock().getTime() + overlapHours * 3_600_000);
  await scope.query(
    `UPDATE webhook_endpoints SET previous_secret = CASE WHEN $4::timestamptz > $5 THEN secret END,
            previous_secret_until = CASE WHEN $4::timestamptz > $5 THEN $4::timestamptz END, secret = $3, updated_at = $5
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, endpointId, secret, until, scope.clock()],
  );
  const values = { host: hostOf(url) };
  await scope.emit({ type: 'webhook_endpoint.secret_rotated', subject: endpointId, values });
}

/** Sealed. The previous one only while it signs. */
export async function readSecrets(
  scope: ReadScope,
  endpointId: string,
): Promise<{ secret: string; previous: string | null; until: Date | null } | null> {
  const { rows } = await scope.query<{ secret: string; previous: string | null; until: Date | null }>(
    `SELECT secret, CASE WHEN previous_secret_until > $3 THEN previous_secret END AS previous,
            CASE WHEN previous_secret_until > $3 THEN previous_secret_until END AS until
       FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2 AND integration_id IS NULL`,
    [scope.workspaceId, endpointId, scope.clock()],
  );
  return rows[0] ?? null;
}

export async function removeEndpoint(
  scope: WorkspaceScope,
  { endpointId, url }: { endpointId: string; url: string },
): Promise<void> {
  await scope.query('DELETE FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    endpointId,
  ]);
  await scope.emit({ type: 'webhook_endpoint.deleted', subject: endpointId, values: { host: hostOf(url) } });
}

/** What a log may say of an address. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}

/** Until the end of the transaction neither a person nor the sender changes it. */
export async function lockEndpoint(
  scope: ReadScope,
  endpointId: string,
): Promise<{ url: string; version: number } | null> {
  const { rows } = await scope.query<{ url: string; version: number }>(
    'SELECT url, version FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2 AND integration_id IS NULL FOR UPDATE',
    [scope.workspaceId, endpointId],
  );
  return rows[0] ?? null;
}

function present(row: Row, now: Date): WebhookEndpoint {
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  const later = (at: Date | null) => (at && at > now ? at.toISOString() : null);
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    perSecond: row.per_second,
    status: row.paused_at ? 'paused' : 'active',
    pauseReason: row.pause_reason,
    pausedAt: iso(row.paused_at),
    failingSince: iso(row.failing_since),
    heldUntil: later(row.hold_until),
    lastDeliveredAt: iso(row.last_delivered_at),
    lastFailedAt: iso(row.last_failed_at),
    waiting: Number(row.waiting),
    previousSecretUntil: later(row.previous_secret_until),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}
