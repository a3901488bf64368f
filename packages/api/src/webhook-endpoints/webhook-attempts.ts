import { afterFailure } from '@app/domain/webhook-endpoints/webhook-rules';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import {
  findConnection,
  noteDelivered,
  pauseLine,
  type LineConnection,
  type LineDelivery,
  type LineParts,
} from './connector-lines.ts';
import { storeThread, type LineResult } from './connector-threads.ts';
import { pauseEndpoint } from './webhook-endpoints-queries.ts';

/** So long an endpoint belongs to the process that sends for it, from its last sign of life. A process that sends renews it when half of it is over. */
export const LEASE_SECONDS = 15;

export type Leased = { workspaceId: string; endpointId: string; owner: string };

/** One attempt that is about to leave; it is stored as `begun`. */
export type BegunAttempt = {
  deliveryId: string;
  number: number;
  url: string;
  body: string;
  perSecond: number;
  /** Sealed. */
  secrets: string[];
  /** Of a line: the connection that sends, and what. */
  through: { connection: LineConnection; line: LineDelivery } | null;
};

type EndpointRow = {
  url: string;
  integration_id: string | null;
  per_second: number;
  secret: string;
  previous_secret: string | null;
  is_paused: boolean;
  failures: number;
  failing_since: Date | null;
  hold_until: Date | null;
};
type DeliveryRow = {
  id: string;
  type: string;
  occurred_at: Date;
  attempts: number;
  body: string;
  next_attempt_at: Date;
};

const WAITING = `SELECT id, type, occurred_at, attempts, body, next_attempt_at FROM webhook_deliveries
  WHERE workspace_id = $1 AND endpoint_id = $2 AND status = 'waiting' AND body IS NOT NULL`;

/**
 * Takes the next delivery that is due and commits that it leaves. Null: nothing is due, the lease is given back and `next_due_at` says when to look
 * again; or the endpoint is another process's by now, or deleted.
 */
export async function beginAttempt(
  scope: WorkspaceScope,
  lease: Leased,
  parts: LineParts,
): Promise<BegunAttempt | null> {
  const now = scope.clock();
  const endpoint = await lockLeased(scope, lease);
  if (!endpoint) return null;
  const { integration_id: integrationId } = endpoint;
  const connection = integrationId === null ? null : await findConnection(scope, parts, integrationId);
  // A connection that is not connected has nothing to send with: what waits, waits until it is.
  const isStill = integrationId !== null && connection === null;
  const found = isStill
    ? { delivery: null, lookAgainAt: null }
    : await findDue(scope, lease.endpointId, endpoint, now);
  if (!found.delivery) {
    await scope.query(
      `UPDATE webhook_endpoints SET next_due_at = $3, lease_owner = NULL, lease_until = NULL WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, lease.endpointId, found.lookAgainAt],
    );
    return null;
  }
  const { id, attempts, body } = found.delivery;
  const number = attempts + 1;
  const url = connection === null ? endpoint.url : connection.kind.name;
  await scope.query(
    `UPDATE webhook_endpoints SET lease_until = now() + $3 * interval '1 second' WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, lease.endpointId, LEASE_SECONDS],
  );
  await scope.query(
    `UPDATE webhook_deliveries SET attempts = $3, first_attempt_at = coalesce(first_attempt_at, $4) WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, number, now],
  );
  // A process that died in the call left its attempt open.
  await scope.query(
    `UPDATE webhook_attempts SET outcome = 'unknown', reason = 'interrupted' WHERE workspace_id = $1 AND delivery_id = $2 AND outcome = 'begun'`,
    [scope.workspaceId, id],
  );
  const mayBeThere = connection !== null && (await mayHaveArrived(scope, id));
  await scope.query(
    `INSERT INTO webhook_attempts (workspace_id, delivery_id, number, started_at, outcome, url, request_headers)
     VALUES ($1, $2, $3, $4, 'begun', $5, '{}')`,
    [scope.workspaceId, id, number, now, url],
  );
  const secrets = [endpoint.secret, ...(endpoint.previous_secret ? [endpoint.previous_secret] : [])];
  const { per_second: perSecond } = endpoint;
  const line = { delivery: found.delivery, endpointId: lease.endpointId, mayBeThere };
  return {
    ...{ deliveryId: id, number, body, secrets, url, perSecond },
    through: connection && { connection, line: { ...line, hookUrl: endpoint.url || null } },
  };
}

/** Whether an attempt of this delivery had no answer. */
async function mayHaveArrived(scope: ReadScope, deliveryId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM webhook_attempts WHERE workspace_id = $1 AND delivery_id = $2 AND outcome = 'unknown' LIMIT 1`,
    [scope.workspaceId, deliveryId],
  );
  return rowCount !== 0;
}

export type AttemptResult = {
  outcome: 'ok' | 'rejected' | 'not_sent' | 'unknown';
  reason: string | null;
  durationMs: number;
  requestHeaders: Record<string, string>;
  responseStatus: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  isResponseCut: boolean;
  retryAfterMs: number | null;
  /** The process stops: it says nothing about the receiver. */
  isStopped: boolean;
  /** Of a line: what follows beyond that. */
  line?: LineResult;
};

/** Stores what became of an attempt, and what follows from it for its delivery and its endpoint. `chance` is from 0 to 1. */
export async function settleAttempt(
  scope: WorkspaceScope,
  lease: Leased,
  { deliveryId, number }: Pick<BegunAttempt, 'deliveryId' | 'number'>,
  result: AttemptResult,
  chance: number,
): Promise<void> {
  const now = scope.clock();
  const endpoint = await lockLeased(scope, lease);
  if (!endpoint) return;
  await scope.query(
    `UPDATE webhook_attempts SET outcome = $4, reason = $5, duration_ms = $6, request_headers = $7, response_status = $8,
            response_headers = $9, response_body = $10, is_response_cut = $11
      WHERE workspace_id = $1 AND delivery_id = $2 AND number = $3`,
    [
      ...[scope.workspaceId, deliveryId, number, result.outcome, result.reason, result.durationMs],
      ...[JSON.stringify(result.requestHeaders), result.responseStatus],
      ...[result.responseHeaders && JSON.stringify(result.responseHeaders), result.responseBody],
      result.isResponseCut,
    ],
  );
  const delivery = await lockDelivery(scope, deliveryId);
  if (!delivery) return;
  if (result.isStopped) return release(scope, lease, deliveryId, now);
  if (result.line?.thread) await storeThread(scope, lease.endpointId, result.line.thread);
  if (result.line?.isGone) {
    await scope.query('DELETE FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, lease.endpointId],
    ]);
    return;
  }
  // It concerns this event alone: the line goes on.
  if (result.line?.isOver) {
    await scope.query(
      `UPDATE webhook_deliveries SET status = 'failed', settled_at = $3, is_manual = false, failure_reason = $4 WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, deliveryId, now, result.reason],
    );
    return;
  }
  if (result.outcome === 'ok')
    return settleDelivered(scope, lease, {
      ...{ deliveryId, now, status: result.responseStatus },
      ...{ isSkipped: result.reason === 'skipped', integrationId: endpoint.integration_id },
    });
  const next = afterFailure(
    { endpoint: { failures: endpoint.failures, failingSince: endpoint.failing_since }, delivery },
    { now, retryAfterMs: result.retryAfterMs, chance },
  );
  await scope.query(
    `UPDATE webhook_deliveries SET status = $3, next_attempt_at = $4, is_in_line = $5, is_manual = false, response_status = $6,
            failure_reason = $7, settled_at = CASE WHEN $3 = 'failed' THEN $8::timestamptz END
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, deliveryId, next.delivery.status, next.delivery.nextAttemptAt],
      ...[next.delivery.isInLine, result.responseStatus, result.reason, now],
    ],
  );
  await scope.query(
    `UPDATE webhook_endpoints SET failures = $3, failing_since = $4, last_failed_at = $5, hold_until = coalesce($6, hold_until)
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, lease.endpointId, next.endpoint.failures, next.endpoint.failingSince],
      ...[now, next.holdUntil],
    ],
  );
  const isHopeless = next.isPaused || result.line?.needsPerson === true;
  const reason = result.responseStatus === 410 ? 'gone' : isHopeless ? 'failing' : null;
  if (!reason) return;
  if (endpoint.integration_id === null)
    await pauseEndpoint(scope, { endpointId: lease.endpointId, url: endpoint.url, reason });
  else await pauseLine(scope, lease.endpointId, { integrationId: endpoint.integration_id, ...result });
}

async function settleDelivered(
  scope: WorkspaceScope,
  { endpointId }: Leased,
  {
    deliveryId,
    now,
    status,
    isSkipped,
    integrationId,
  }: {
    deliveryId: string;
    now: Date;
    status: number | null;
    /** The connector had nothing to send of it. */
    isSkipped: boolean;
    integrationId: string | null;
  },
): Promise<void> {
  await scope.query(
    `UPDATE webhook_deliveries SET status = 'delivered', settled_at = $3, is_manual = false, response_status = $4, failure_reason = NULL
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, deliveryId, now, status],
  );
  // It counts as no record, and says nothing about the service.
  if (isSkipped) return;
  await scope.query(
    `UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, hold_until = NULL, last_delivered_at = $3, delivered = delivered + 1
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, endpointId, now],
  );
  if (integrationId !== null) await noteDelivered(scope, integrationId);
}

/** The next process that works goes on with this delivery. */
async function release(scope: WorkspaceScope, { endpointId }: Leased, deliveryId: string, now: Date) {
  await scope.query(
    `UPDATE webhook_deliveries SET next_attempt_at = $3 WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, deliveryId, now],
  );
  await scope.query(
    `UPDATE webhook_endpoints SET next_due_at = $3, lease_owner = NULL, lease_until = NULL WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, endpointId, now],
  );
}

async function lockLeased(scope: ReadScope, { endpointId, owner }: Leased): Promise<EndpointRow | null> {
  const { rows } = await scope.query<EndpointRow>(
    `SELECT url, integration_id, per_second, secret, CASE WHEN previous_secret_until > $4 THEN previous_secret END AS previous_secret,
            paused_at IS NOT NULL AS is_paused, failures, failing_since, hold_until
       FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3 FOR UPDATE`,
    [scope.workspaceId, endpointId, owner, scope.clock()],
  );
  return rows[0] ?? null;
}

/** Null where a person cancelled it meanwhile, or was erased. */
async function lockDelivery(scope: ReadScope, deliveryId: string) {
  const { rows } = await scope.query<{ attempts: number; firstAttemptAt: Date; isInLine: boolean }>(
    `SELECT attempts, coalesce(first_attempt_at, $3) AS "firstAttemptAt", is_in_line AS "isInLine" FROM webhook_deliveries
      WHERE workspace_id = $1 AND id = $2 AND status = 'waiting' FOR UPDATE`,
    [scope.workspaceId, deliveryId, scope.clock()],
  );
  return rows[0] ?? null;
}

/** What a person asked for comes first, then the line in its order, then what waits beside it. */
async function findDue(
  scope: ReadScope,
  endpointId: string,
  { is_paused: isPaused, hold_until: holdUntil }: EndpointRow,
  now: Date,
): Promise<{ delivery: DeliveryRow | null; lookAgainAt: Date | null }> {
  const first = async (rest: string) => {
    const { rows } = await scope.query<DeliveryRow>(`${WAITING} ${rest} LIMIT 1`, [
      ...[scope.workspaceId, endpointId],
    ]);
    return rows[0] ?? null;
  };
  const isDue = (row: DeliveryRow | null) => row !== null && row.next_attempt_at <= now;
  const asked = await first('AND NOT is_in_line AND is_manual ORDER BY next_attempt_at, line_no');
  if (isDue(asked)) return { delivery: asked, lookAgainAt: null };
  if (isPaused) return { delivery: null, lookAgainAt: asked?.next_attempt_at ?? null };
  const head = await first('AND is_in_line ORDER BY line_no');
  const isHeld = holdUntil !== null && holdUntil > now;
  if (!isHeld && isDue(head)) return { delivery: head, lookAgainAt: null };
  const beside = await first('AND NOT is_in_line ORDER BY next_attempt_at, line_no');
  if (!isHeld && isDue(beside)) return { delivery: beside, lookAgainAt: null };
  const times = [head, beside].flatMap((row) => (row ? [row.next_attempt_at.getTime()] : []));
  const next = times.length === 0 ? null : Math.max(Math.min(...times), holdUntil?.getTime() ?? 0);
  const candidates = [next, asked?.next_attempt_at.getTime() ?? null].filter((time) => time !== null);
  return { delivery: null, lookAgainAt: candidates.length === 0 ? null : new Date(Math.min(...candidates)) };
}
