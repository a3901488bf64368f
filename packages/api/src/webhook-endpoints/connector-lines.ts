import type { StoredCredentials } from '@app/database/channels/channels-tables';
import { newId } from '@app/database/new-id';
import { connectorProblems } from '@app/domain/integrations/connector-problems';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { ConnectorEvent, EventTarget } from '@app/domain/integrations/event-connector';
import { composeEvent } from '../platform/connectors/compose-event.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { LineBody } from './connector-deliveries.ts';

/*
 * A line is an endpoint that belongs to a connection: a connector sends, in place of a signed request. With an address it is one that the service
 * subscribed. The order, the pauses and the crash rules are those of all endpoints.
 */

export type LineParts = Pick<ApiDependencies, 'connectorKinds' | 'publicUrl'>;
export type LineConnection = {
  kind: ConnectorKind;
  credentials: StoredCredentials;
  target: EventTarget | null;
};

/** What a line sends with. Null while the connection is none. */
export async function findConnection(
  scope: ReadScope,
  { connectorKinds }: LineParts,
  integrationId: string,
): Promise<LineConnection | null> {
  const { rows } = await scope.query<{
    kind: string;
    credentials: StoredCredentials | null;
    target: EventTarget | null;
  }>(
    `SELECT kind, credentials, target FROM integrations
      WHERE workspace_id = $1 AND id = $2 AND status <> 'disconnected' AND problem IS DISTINCT FROM 'restored'`,
    [scope.workspaceId, integrationId],
  );
  const [row] = rows;
  const kind = row && connectorKinds.find(row.kind);
  return kind?.events && row?.credentials ? { kind, credentials: row.credentials, target: row.target } : null;
}

/** A delivery of a line that leaves. `mayBeThere`: an attempt of it had no answer. */
export type LineDelivery = {
  delivery: { id: string; type: string; occurred_at: Date; body: string };
  endpointId: string;
  mayBeThere: boolean;
  hookUrl: string | null;
};

/** What the connector gets of a delivery. Null where the person is gone. */
export async function composeLineEvent(
  scope: ReadScope,
  { publicUrl }: Pick<LineParts, 'publicUrl'>,
  { target }: LineConnection,
  { delivery, ...line }: LineDelivery,
): Promise<ConnectorEvent | null> {
  const body = JSON.parse(delivery.body) as LineBody; // as it was enqueued
  return composeEvent(scope, publicUrl, {
    ...{ id: delivery.id, type: delivery.type, occurredAt: delivery.occurred_at.toISOString(), ...body },
    ...{ ...line, target },
  });
}

/** Sets what a line hears of; without types it hears of nothing. Answers with its id. */
export async function setLine(
  scope: WorkspaceScope,
  {
    integrationId,
    url = '',
    eventTypes,
    perSecond,
  }: { integrationId: string; url?: string; eventTypes: readonly string[]; perSecond: number },
): Promise<string> {
  const { rows } = await scope.query<{ id: string }>(
    `INSERT INTO webhook_endpoints (id, workspace_id, integration_id, url, event_types, per_second, secret, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, '', $7, $7)
     ON CONFLICT (workspace_id, integration_id, url) WHERE integration_id IS NOT NULL
       DO UPDATE SET event_types = excluded.event_types, per_second = excluded.per_second, updated_at = excluded.updated_at
     RETURNING id`,
    [newId(), scope.workspaceId, integrationId, url, eventTypes, perSecond, scope.clock()],
  );
  return rows[0]!.id; // inserted or updated
}

/** Events wait from now on, and the connection is told why. */
export async function pauseLine(
  scope: WorkspaceScope,
  endpointId: string,
  {
    integrationId,
    reason,
    responseBody,
  }: { integrationId: string; reason: string | null; responseBody: string | null },
): Promise<void> {
  const { rows } = await scope.query<{ kind: string }>(
    `UPDATE webhook_endpoints e SET paused_at = $3, pause_reason = 'failing', updated_at = $3 FROM integrations i
      WHERE e.workspace_id = $1 AND e.id = $2 AND e.paused_at IS NULL AND i.workspace_id = e.workspace_id AND i.id = e.integration_id
      RETURNING i.kind`,
    [scope.workspaceId, endpointId, scope.clock()],
  );
  const [row] = rows;
  if (!row) return;
  const problem = connectorProblems.find((known) => known === reason) ?? 'service_away';
  await scope.emit({
    ...{ type: 'integration.line_paused', subject: integrationId },
    values: { kind: row.kind, problem, detail: responseBody?.slice(0, 300) ?? '' },
  });
}

/** A line delivered: where its connection shows an error, it is told that the line works again. */
export async function noteDelivered(scope: WorkspaceScope, integrationId: string): Promise<void> {
  const { rows } = await scope.query<{ kind: string }>(
    `SELECT kind FROM integrations WHERE workspace_id = $1 AND id = $2 AND status = 'error' AND problem IS DISTINCT FROM 'restored'`,
    [scope.workspaceId, integrationId],
  );
  const [row] = rows;
  if (row)
    await scope.emit({
      ...{ type: 'integration.line_resumed', subject: integrationId, values: { kind: row.kind } },
    });
}

/** Whether events of a line that was paused wait. */
export async function hasWaitingLines(scope: ReadScope, integrationId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM webhook_endpoints e WHERE e.workspace_id = $1 AND e.integration_id = $2 AND e.pause_reason = 'failing'
        AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.status = 'waiting')
      LIMIT 1`,
    [scope.workspaceId, integrationId],
  );
  return rowCount !== 0;
}

/** The connection works again: its lines go on at once. After a restore, what waited may have been sent by the installation of before. */
export async function resumeLines(scope: WorkspaceScope, integrationId: string): Promise<void> {
  const now = scope.clock();
  await scope.query(
    `UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = $3 FROM webhook_endpoints e
      WHERE e.workspace_id = $1 AND e.integration_id = $2 AND e.pause_reason = 'restored'
        AND d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.status = 'waiting'`,
    [scope.workspaceId, integrationId, now],
  );
  await scope.query(
    `UPDATE webhook_endpoints SET paused_at = NULL, pause_reason = NULL, failures = 0, failing_since = NULL, hold_until = NULL, next_due_at = $3
      WHERE workspace_id = $1 AND integration_id = $2`,
    [scope.workspaceId, integrationId, now],
  );
  await scope.query(
    `UPDATE webhook_deliveries d SET next_attempt_at = $3, first_attempt_at = NULL FROM webhook_endpoints e
      WHERE e.workspace_id = $1 AND e.integration_id = $2 AND d.workspace_id = e.workspace_id AND d.endpoint_id = e.id
        AND d.status = 'waiting' AND d.attempts > 0`,
    [scope.workspaceId, integrationId, now],
  );
}

/** Nothing more is sent: what waits is cancelled, and addresses that the service subscribed are deleted. */
export async function stopLines(scope: WorkspaceScope, integrationId: string): Promise<void> {
  await scope.query(
    `DELETE FROM webhook_endpoints WHERE workspace_id = $1 AND integration_id = $2 AND url <> ''`,
    [scope.workspaceId, integrationId],
  );
  await scope.query(
    `UPDATE webhook_endpoints SET event_types = '{}', updated_at = $3 WHERE workspace_id = $1 AND integration_id = $2`,
    [scope.workspaceId, integrationId, scope.clock()],
  );
  await scope.query(
    `UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = $3 FROM webhook_endpoints e
      WHERE e.workspace_id = $1 AND e.integration_id = $2 AND d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.status = 'waiting'`,
    [scope.workspaceId, integrationId, scope.clock()],
  );
}

/** Every event of a connection that failed is sent once more, in its order. Answers with how many. */
export async function resendFailed(scope: WorkspaceScope, integrationId: string): Promise<number> {
  const now = scope.clock();
  await resumeLines(scope, integrationId);
  const { rowCount } = await scope.query(
    `UPDATE webhook_deliveries d SET status = 'waiting', is_in_line = true, next_attempt_at = $3, first_attempt_at = NULL, settled_at = NULL
       FROM webhook_endpoints e
      WHERE e.workspace_id = $1 AND e.integration_id = $2 AND d.workspace_id = e.workspace_id AND d.endpoint_id = e.id
        AND d.status = 'failed' AND d.body IS NOT NULL`,
    [scope.workspaceId, integrationId, now],
  );
  return rowCount ?? 0;
}

/** Deletes an address that the service subscribed; one that is gone already is no mistake. */
export async function removeHook(
  scope: WorkspaceScope,
  integrationId: string,
  hookId: string,
): Promise<void> {
  await scope.query(
    `DELETE FROM webhook_endpoints WHERE workspace_id = $1 AND integration_id = $2 AND id = $3 AND url <> ''`,
    [scope.workspaceId, integrationId, hookId],
  );
}

export type LineState = {
  integrationId: string;
  hooks: number;
  delivered: number;
  waiting: number;
  failed: number;
  isFailing: boolean;
  lastDeliveredAt: Date | null;
  /** Why the newest event that still waits was not taken. */
  reason: string | null;
};

/** How the lines of each connection stand: what was delivered by a counter, what waits or failed by the rows that do. */
export async function listLineStates(scope: ReadScope): Promise<LineState[]> {
  const { rows } = await scope.query<LineState>(
    `SELECT e.integration_id AS "integrationId", (count(*) FILTER (WHERE e.url <> ''))::int AS hooks, sum(e.delivered)::int AS delivered,
            coalesce(sum(d.waiting), 0)::int AS waiting, coalesce(sum(d.failed), 0)::int AS failed,
            bool_or(e.failing_since IS NOT NULL) AS "isFailing", max(e.last_delivered_at) AS "lastDeliveredAt", max(d.reason) AS reason
       FROM webhook_endpoints e
       LEFT JOIN LATERAL (
         SELECT count(*) FILTER (WHERE status = 'waiting') AS waiting, count(*) FILTER (WHERE status = 'failed') AS failed,
                (array_agg(failure_reason ORDER BY line_no) FILTER (WHERE status = 'waiting' AND failure_reason IS NOT NULL))[1] AS reason
           FROM webhook_deliveries WHERE workspace_id = e.workspace_id AND endpoint_id = e.id AND status IN ('waiting', 'failed')) AS d ON true
      WHERE e.workspace_id = $1 AND e.integration_id IS NOT NULL GROUP BY e.integration_id`,
    [scope.workspaceId],
  );
  return rows;
}
