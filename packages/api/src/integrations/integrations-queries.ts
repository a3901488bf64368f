import type { integration, integrationRun } from '@app/contracts/integrations/integrations-contract';
import type { ConnectorField, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { connectorProblems, type ConnectorProblem } from '@app/domain/integrations/connector-problems';
import { noCounts, type RecordError } from '@app/domain/integrations/integration-rules';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { listLineStates, type LineState } from '../webhook-endpoints/connector-lines.ts';
import { consentRedirectUrl } from './consent-redirect.ts';
import { INTEGRATION_COLUMNS, RUN_COLUMNS, type IntegrationRow, type RunRow } from './integration-rows.ts';

export type Integration = z.infer<typeof integration>;
export type IntegrationRun = z.infer<typeof integrationRun>;
type Parts = Pick<ApiDependencies, 'connectorKinds' | 'publicUrl'>;

export async function listIntegrations(scope: ReadScope, parts: Parts): Promise<Integration[]> {
  const rows = await listRows(scope);
  const slug = await readSlug(scope);
  const errors = await countErrors(scope);
  const held = await countHeld(scope);
  const linked = await countLinked(scope);
  const lines = new Map((await listLineStates(scope)).map((line) => [line.integrationId, line]));
  return parts.connectorKinds.all.map((kind) => {
    const row = rows.find((one) => one.kind === kind.name) ?? null;
    return present(kind, row, {
      run: row?.shown_run ? presentRun(row.shown_run) : null,
      errors: (row && errors.get(row.id)) ?? 0,
      held: (row && held.get(row.id)) ?? 0,
      linked: (row && linked.get(row.id)) ?? 0,
      line: (row && lines.get(row.id)) ?? null,
      address: addressOf(parts.publicUrl, kind, slug),
      redirectUrl: consentRedirectUrl(parts.publicUrl),
    });
  });
}

/** Null for a kind that nobody knows. */
export async function readIntegration(
  scope: ReadScope,
  parts: Parts,
  kind: string,
): Promise<Integration | null> {
  return (await listIntegrations(scope, parts)).find((one) => one.kind === kind) ?? null;
}

export async function listRuns(
  scope: ReadScope,
  integrationId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: IntegrationRun[]; nextCursor: string | null }> {
  const after = readTimeCursor(cursor);
  const { rows } = await scope.query<RunRow & { time_key: string }>(
    `SELECT ${RUN_COLUMNS}, ${timeKey('started_at')} AS time_key FROM integration_runs
      WHERE workspace_id = $1 AND integration_id = $2 AND ($3::timestamptz IS NULL OR (started_at, id) < ($3, $4::uuid))
      ORDER BY started_at DESC, id DESC LIMIT $5`,
    [scope.workspaceId, integrationId, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ time_key: key, id }) => ({ key, id }));
  return { items: items.map(presentRun), nextCursor };
}

/**
 * Each connection with its run under way, or else its last preview while nothing was exchanged yet. In one statement: otherwise a run that ends in
 * between would leave the status that the connection had before it.
 */
async function listRows(scope: ReadScope): Promise<(IntegrationRow & { shown_run: RunRow | null })[]> {
  const { rows } = await scope.query<IntegrationRow & { shown_run: StoredRun | null }>(
    `SELECT ${INTEGRATION_COLUMNS},
            (SELECT to_jsonb(r) FROM integration_runs r
              WHERE r.workspace_id = i.workspace_id AND r.integration_id = i.id AND i.status <> 'disconnected'
                AND (r.ended_at IS NULL OR (r.trigger = 'preview' AND NOT i.is_started))
              ORDER BY r.ended_at IS NULL DESC, r.started_at DESC LIMIT 1) AS shown_run
       FROM integrations i WHERE workspace_id = $1`,
    [scope.workspaceId],
  );
  return rows.map((row) => ({ ...row, shown_run: row.shown_run && readRun(row.shown_run) }));
}

type Moment = 'resume_at' | 'troubled_at' | 'started_at' | 'ended_at';
type StoredRun = Omit<RunRow, Moment> & Record<Moment, string | null>;

/** A run out of JSON, which has no dates. */
function readRun(run: StoredRun): RunRow {
  const read = (at: string | null) => (at === null ? null : new Date(at));
  return {
    ...run,
    ...{ resume_at: read(run.resume_at), troubled_at: read(run.troubled_at), ended_at: read(run.ended_at) },
    started_at: new Date(run.started_at!), // each has begun
  };
}

async function countErrors(scope: ReadScope): Promise<Map<string, number>> {
  const { rows } = await scope.query<{ integration_id: string; n: number }>(
    `SELECT integration_id, count(*)::int AS n FROM integration_records
      WHERE workspace_id = $1 AND error IS NOT NULL GROUP BY integration_id`,
    [scope.workspaceId],
  );
  return new Map(rows.map(({ integration_id: id, n }) => [id, n]));
}

/** Records that wait for room in the plan. */
async function countHeld(scope: ReadScope): Promise<Map<string, number>> {
  const { rows } = await scope.query<{ integration_id: string; n: number }>(
    `SELECT integration_id, count(*)::int AS n FROM integration_records WHERE workspace_id = $1 AND is_held GROUP BY integration_id`,
    [scope.workspaceId],
  );
  return new Map(rows.map(({ integration_id: id, n }) => [id, n]));
}

/** Records that belong to a contact here. */
async function countLinked(scope: ReadScope): Promise<Map<string, number>> {
  const { rows } = await scope.query<{ integration_id: string; n: number }>(
    `SELECT integration_id, count(*)::int AS n FROM integration_records
      WHERE workspace_id = $1 AND contact_id IS NOT NULL AND external_id IS NOT NULL AND NOT is_gone GROUP BY integration_id`,
    [scope.workspaceId],
  );
  return new Map(rows.map(({ integration_id: id, n }) => [id, n]));
}

/** Where the service may call back. */
export const readWebhookAddress = async (
  scope: ReadScope,
  publicUrl: string,
  kind: Pick<ConnectorKind, 'name'>,
): Promise<string> => addressOf(publicUrl, kind, await readSlug(scope));

const addressOf = (publicUrl: string, { name }: Pick<ConnectorKind, 'name'>, slug: string): string =>
  `${publicUrl}/webhooks/${name}/${slug}`;

async function readSlug(scope: ReadScope): Promise<string> {
  const { rows } = await scope.query<{ slug: string }>('SELECT slug FROM workspaces WHERE id = $1', [
    scope.workspaceId,
  ]);
  return rows[0]?.slug ?? '';
}

function present(
  kind: ConnectorKind,
  row: IntegrationRow | null,
  {
    run,
    errors,
    held,
    linked,
    line,
    address,
    redirectUrl,
  }: {
    run: IntegrationRun | null;
    errors: number;
    held: number;
    linked: number;
    line: LineState | null;
    /** Where the vendor may call back. */
    address: string;
    /** Where it sends the browser back after a consent. */
    redirectUrl: string;
  },
): Integration {
  const isOn = row !== null && row.status !== 'disconnected';
  const isSyncing = run !== null && run.endedAt === null;
  const isFull = isOn && row.problem === null && held > 0;
  return {
    ...{ kind: kind.name, title: kind.title, category: kind.category, type: kind.type },
    features: [...kind.features],
    syncsContacts: kind.contacts !== undefined,
    takesContacts: kind.contacts !== undefined && kind.contacts.isReadOnly !== true,
    fields: presentFields(kind.credentials.fields),
    consent: kind.consent
      ? {
          ...{ fields: presentFields(kind.consent.fields), redirectUrl },
          sandbox: kind.consent.sandbox ? { ...kind.consent.sandbox } : null,
        }
      : null,
    sandbox: kind.sandbox ? { ...kind.sandbox } : null,
    webhookUrl: kind.webhooks && !kind.webhooks.subscribesItself ? address : null,
    setupUrl: kind.setupUrl?.({ webhookUrl: address, redirectUrl }) ?? null,
    status: isSyncing ? 'syncing' : (row?.status ?? 'disconnected'),
    // A line that fails is a note on the card, until it needs a person.
    problem: isFull
      ? 'plan_full'
      : (row?.problem ?? (isOn && line?.isFailing ? problemIn(line.reason) : null)),
    problemDetail: isFull ? String(held) : (row?.problem_detail ?? null),
    ...{ account: row?.account ?? null, keyHint: isOn ? row.key_hint : null },
    frequency: row?.frequency ?? 'hourly',
    mapping: isOn ? row.mapping : [...(kind.contacts?.mapping ?? [])],
    filter: isOn ? row.filter.map((rule) => ({ ...rule, values: [...rule.values] })) : [],
    ...{ createsThere: row?.creates_there ?? false, createsTag: row?.creates_tag ?? null },
    takesOptIns: kind.contacts?.optIn ? (row?.takes_opt_ins ?? false) : null,
    ...{ isStarted: row?.is_started ?? false, run },
    hearsEvents: kind.events !== undefined,
    lastSyncedAt: (row?.last_synced_at ?? line?.lastDeliveredAt)?.toISOString() ?? null,
    lastDurationMs: row?.last_duration_ms ?? null,
    nextSyncAt: (isOn && row.next_run_at?.toISOString()) || null,
    checkedAt: (isOn && row.checked_at?.toISOString()) || null,
    recordsSynced: Number(row?.records_synced ?? 0) + (line?.delivered ?? 0),
    ...{ recordsLinked: linked, recordsHeld: isOn ? held : 0 },
    ...{ errors: errors + (isOn ? (line?.failed ?? 0) : 0), version: row?.version ?? 1 },
  };
}

const presentFields = (fields: readonly ConnectorField[]): Integration['fields'] =>
  fields
    .filter(({ isHidden }) => !isHidden)
    .map(({ name, label, isSecret, isOptional, isAdvanced, format }) => ({
      ...{ name, label, isSecret, isOptional: isOptional === true, isAdvanced: isAdvanced === true, format },
    }));

const problemIn = (reason: string | null): ConnectorProblem =>
  connectorProblems.find((known) => known === reason) ?? 'service_away';

function presentRun(row: RunRow): IntegrationRun {
  return {
    // A run of an older version has no count of what came later.
    ...{ id: row.id, trigger: row.trigger, status: row.status, counts: { ...noCounts(), ...row.counts } },
    sample: row.sample.map((one) => ({ ...one, error: one.error as RecordError | null })), // written by a run
    ...{ problem: row.problem, problemDetail: row.problem_detail },
    resumesAt: row.ended_at === null ? (row.resume_at?.toISOString() ?? null) : null,
    startedBy: row.started_by,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}
