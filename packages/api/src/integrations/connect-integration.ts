import { newId } from '@app/database/new-id';
import { readCredentials, type Credentials } from '@app/domain/channels/channel-credentials';
import type { ConnectorField, ConnectorHealth, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { openConnector, openWith } from '../platform/connectors/open-connector.ts';
import type { ApiDependencies, SignedInContext } from '../platform/request-context.ts';
import { sealFields } from '../platform/stored-credentials.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { hasWaitingLines, resumeLines, stopLines } from '../webhook-endpoints/connector-lines.ts';
import { setEvents } from './events/event-settings.ts';
import { noteRecovery, noteTrouble } from './connection-state.ts';
import { findIntegration, type IntegrationRow } from './integration-rows.ts';
import { startRun } from './sync/start-run.ts';
import { cancelRun } from './sync/sync-runs.ts';

/** Nobody waits longer for a service that a connection ends with. */
const LONGEST_MS = 10_000;

export type WrittenFields = {
  credentials: Credentials;
  problems: { field: string; problem: string }[];
};

/** What people wrote; a field that may stay empty, and one that no form asks for, is empty then. */
export function readFields(
  fields: readonly ConnectorField[],
  values: Readonly<Record<string, string>>,
): WrittenFields {
  const asked = fields.filter(({ isHidden }) => !isHidden);
  const { credentials, problems } = readCredentials({ fields: asked }, values);
  const optional = asked.filter(({ isOptional }) => isOptional).map(({ name }) => name);
  const isLeftOut = ({ field, problem }: (typeof problems)[number]) =>
    problem === 'missing' && optional.includes(field);
  const names = [
    ...problems.filter(isLeftOut).map(({ field }) => field),
    ...fields.filter(({ isHidden }) => isHidden).map(({ name }) => name),
  ];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  return { credentials: { ...empty, ...credentials }, problems: problems.filter((one) => !isLeftOut(one)) };
}

/** Asks the service before anything is stored. */
export async function tryCredentials(
  context: SignedInContext,
  kind: ConnectorKind,
  credentials: Credentials,
): Promise<ConnectorHealth> {
  return openWith(context, kind, context.session.workspaceId, credentials).check({ isNew: true });
}

/**
 * Stores a connection whose credentials the service accepted. One that was there keeps its mapping and what it knows of records where the account is
 * the same; another account begins anew. A kind that exchanges contacts begins with a preview, also after it was disconnected.
 */
export async function storeConnection(
  scope: WorkspaceScope,
  context: SignedInContext,
  kind: ConnectorKind,
  { credentials, account }: { credentials: Credentials; account: string | null },
): Promise<void> {
  const now = scope.clock();
  const { workspaceId } = scope;
  const sealed = JSON.stringify(await sealFields(kind.credentials, credentials, context.secrets));
  const hint = hintOf(kind, credentials);
  const mapping = JSON.stringify(kind.contacts?.mapping ?? []);
  await scope.query(
    `INSERT INTO integrations (id, workspace_id, kind, status, mapping, is_started, created_at, updated_at)
     VALUES ($1, $2, $3, 'disconnected', $4, $5, $6, $6) ON CONFLICT (workspace_id, kind) DO NOTHING`,
    [newId(), workspaceId, kind.name, mapping, kind.contacts === undefined, now],
  );
  const before = (await findIntegration(scope, kind.name, 'FOR NO KEY UPDATE'))!; // stored above
  const isSameAccount = before.account === account && account !== null;
  if (!isSameAccount) {
    await cancelRun(scope, before.id);
    for (const sql of [
      'DELETE FROM integration_records WHERE workspace_id = $1 AND integration_id = $2',
      'DELETE FROM integration_items WHERE workspace_id = $1 AND integration_id = $2',
    ])
      await scope.query(sql, [workspaceId, before.id]);
  }
  // After a disconnect both sides went on without each other: what a sync would do is looked at again.
  const goesOn = isSameAccount && before.is_started && before.status !== 'disconnected';
  const isStarted = kind.contacts === undefined || goesOn;
  await scope.query(
    `UPDATE integrations SET status = 'connected', problem = NULL, problem_detail = NULL, credentials = $3, account = $4, key_hint = $5,
            is_started = $6, cursor = CASE WHEN $7 THEN cursor END, items_cursor = CASE WHEN $7 THEN items_cursor END,
            takes_opt_ins = takes_opt_ins AND $7, mapping = CASE WHEN $7 THEN mapping ELSE $8::jsonb END, filter = CASE WHEN $7 THEN filter ELSE '[]' END, failures = 0,
            checked_at = $9, next_run_at = CASE WHEN $6 AND $10 THEN $9::timestamptz END, version = version + 1, updated_at = $9
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[workspaceId, before.id, sealed, account, hint, isStarted, isSameAccount, mapping, now],
      kind.contacts !== undefined,
    ],
  );
  if (kind.events) {
    const row = (await findIntegration(scope, kind.name))!; // stored above
    // Another account has other places.
    if (!isSameAccount && row.target !== null) {
      await scope.query('UPDATE integrations SET target = NULL WHERE workspace_id = $1 AND id = $2', [
        ...[workspaceId, row.id],
      ]);
      row.target = null;
    }
    await setEvents(scope, { ...kind, events: kind.events }, row, null);
    await resumeLines(scope, row.id);
  }
  await scope.emit({ type: 'integration.connected', subject: before.id, values: { kind: kind.name } });
  if (before.status === 'error' && before.problem !== 'restored')
    await scope.emit({ type: 'integration.recovered', subject: before.id, values: { kind: kind.name } });
  if (kind.contacts && !isStarted) await startRun(scope, context, before, 'preview');
}

/** Credentials go, and nothing is exchanged any more. Contacts stay, and so does which record belongs to which. */
export async function disconnectIntegration(
  scope: WorkspaceScope,
  { id, kind }: Pick<IntegrationRow, 'id' | 'kind'>,
): Promise<void> {
  await cancelRun(scope, id);
  await scope.query(
    `UPDATE integrations SET status = 'disconnected', credentials = NULL, key_hint = NULL, problem = NULL, problem_detail = NULL,
            next_run_at = NULL, failures = 0, outcomes_place = NULL, version = version + 1, updated_at = $3
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, scope.clock()],
  );
  await stopLines(scope, id);
  // What was read and not applied is of no use any more; errors too. The next preview compares every record.
  await scope.query(
    `UPDATE integration_records SET is_pending = false, is_held = false, remote_values = NULL, remote_updated_at = NULL, error = NULL, error_detail = NULL,
            error_side = NULL, error_at = NULL
      WHERE workspace_id = $1 AND integration_id = $2
        AND (is_pending OR error IS NOT NULL OR remote_values IS NOT NULL OR remote_updated_at IS NOT NULL)`,
    [scope.workspaceId, id],
  );
  await scope.query('UPDATE integrations SET cursor = NULL WHERE workspace_id = $1 AND id = $2', [
    ...[scope.workspaceId, id],
  ]);
  await scope.emit({ type: 'integration.disconnected', subject: id, values: { kind } });
}

/** Gives back what a consent brought, and takes our address out at the service. What the service says to it, and credentials that cannot be opened, change nothing. */
export async function revokeAccess(
  context: SignedInContext,
  kind: ConnectorKind,
  { credentials, url }: { credentials: NonNullable<IntegrationRow['credentials']>; url: string },
): Promise<void> {
  const { workspaceId } = context.session;
  const connector = await openConnector(context, kind, { workspaceId, credentials }).catch(() => null);
  if (connector?.revoke) await Promise.race([connector.revoke(url), after(LONGEST_MS)]);
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** What the service says of a stored connection; wrong are credentials that cannot be opened. Null for one that was disconnected meanwhile. */
export async function askHealth(
  parts: Pick<ApiDependencies, 'calls' | 'secrets' | 'connectorKinds'>,
  workspaceId: string,
  { kind: name, credentials }: Pick<IntegrationRow, 'kind' | 'credentials'>,
): Promise<ConnectorHealth | null> {
  const kind = parts.connectorKinds.find(name);
  if (!kind || !credentials) return null;
  const connector = await openConnector(parts, kind, { workspaceId, credentials }).catch(() => null);
  return connector ? connector.check() : { state: 'unhealthy', problem: 'credentials_wrong', detail: null };
}

/**
 * Stores what the service said. That credentials work again does not mean that the rest does: where a sync or a line of events showed the error, it is
 * tried at once, and the error stays until it worked. So a failure is announced once, and not each hour anew.
 */
export async function storeHealth(
  scope: WorkspaceScope,
  integration: IntegrationRow,
  health: ConnectorHealth,
): Promise<void> {
  const { id, status, problem, is_started: isStarted, mapping } = integration;
  if (health.state === 'unhealthy') return noteTrouble(scope, id, health);
  if (status === 'error' && problem !== 'restored') {
    if (isStarted && mapping.length > 0) return runNow(scope, id);
    if (await probeLines(scope, id)) return;
  }
  // What a sync noted of its fields a sync takes back.
  if (problem === 'field_missing') return noteChecked(scope, id);
  await noteRecovery(scope, id);
}

async function runNow(scope: WorkspaceScope, id: string): Promise<void> {
  await scope.query(
    'UPDATE integrations SET checked_at = $3, next_run_at = $3 WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, id, scope.clock()],
  );
}

async function noteChecked(scope: WorkspaceScope, id: string): Promise<void> {
  await scope.query('UPDATE integrations SET checked_at = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[scope.workspaceId, id, scope.clock()],
  ]);
}

/** Lines that were paused go on with what waits; false where none of them has anything. */
async function probeLines(scope: WorkspaceScope, id: string): Promise<boolean> {
  if (!(await hasWaitingLines(scope, id))) return false;
  await noteChecked(scope, id);
  await resumeLines(scope, id);
  return true;
}

/** The end of the first secret. */
function hintOf({ credentials: { fields } }: ConnectorKind, credentials: Credentials): string | null {
  const secret = fields.find(({ isSecret }) => isSecret);
  const value = secret ? (credentials[secret.name] ?? '') : '';
  return value.length >= 12 ? `••••${value.slice(-4)}` : null;
}
