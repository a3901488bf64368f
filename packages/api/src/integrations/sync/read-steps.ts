import { newId } from '@app/database/new-id';
import type { RemoteRecord, Reply } from '@app/domain/integrations/contact-connector';
import { storableText } from '@app/domain/text/storable-text';
import { integrationLimits, type RunCounts } from '@app/domain/integrations/integration-rules';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findIntegrationById, type RunRow } from '../integration-rows.ts';
import { isWanted, phoneKeyOf, type Sync } from './open-sync.ts';
import { lockRun, storeProgress } from './sync-runs.ts';

/** One transaction in the name of the connection. */
export type InScope = <Result>(work: (scope: WorkspaceScope) => Promise<Result>) => Promise<Result>;
export type StepResult = Reply<'next' | 'ended'>;
const NEXT: StepResult = { ok: true, value: 'next' };

/** Reads anew what a webhook named, and what failed before. */
export async function retryStep(inScope: InScope, sync: Sync, run: RunRow): Promise<StepResult> {
  const rows = await inScope((scope) => listNamed(scope, sync, { after: run.place, withFailed: true }));
  const last = rows.at(-1);
  if (!last)
    return moveTo(inScope, run, run.trigger === 'retry' || run.trigger === 'event' ? 'apply' : 'pull');
  const reply = await fetchRecords(
    sync,
    rows.map(({ external_id: id }) => id),
  );
  if (!reply.ok) return reply;
  await inScope(async (scope) => {
    if (!(await lockRun(scope, run))) return;
    const read = await storeRecords(scope, sync, reply.value, { isAsked: true });
    await storeProgress(scope, run.id, { phase: 'retry', place: last.id, counts: add(run.counts, { read }) });
  });
  return NEXT;
}

/**
 * The next records that a webhook named and that were not read since; with those that could not be applied before, and the records that stood in their
 * way: one that was merged into another there may be gone without a word.
 */
export async function listNamed(
  scope: ReadScope,
  { integration }: Pick<Sync, 'integration'>,
  { after, withFailed = false }: { after: string | null; withFailed?: boolean },
): Promise<{ id: string; external_id: string }[]> {
  const { rows } = await scope.query<{ id: string; external_id: string }>(
    `SELECT id, external_id FROM integration_records
      WHERE workspace_id = $1 AND integration_id = $2 AND external_id IS NOT NULL AND NOT is_gone AND ($3::uuid IS NULL OR id > $3)
        AND ((is_pending AND remote_values IS NULL)${withFailed ? FAILED : ''})
      ORDER BY id LIMIT $4`,
    [scope.workspaceId, integration.id, after, integrationLimits.step],
  );
  return rows;
}

const FAILED = ` OR (error IS NOT NULL AND error_side = 'in')
  OR external_id IN (SELECT e.error_detail FROM integration_records e
     WHERE e.workspace_id = $1 AND e.integration_id = $2 AND e.error IN ('phone_shared', 'contact_linked') AND e.error_side = 'in')`;

/** These records as they are there now; those that are not there any more are deleted. */
export async function fetchRecords(sync: Sync, ids: readonly string[]): Promise<Reply<RemoteRecord[]>> {
  const reply = await sync.contacts.fetch(ids, sync.fields);
  if (!reply.ok) return reply;
  const there = new Set(reply.value.map(({ id }) => id));
  const gone = ids
    .filter((id) => !there.has(id))
    .map((id) => ({ id, isDeleted: true, values: {}, updatedAt: new Date(0), editedAt: new Date(0) }));
  return { ok: true, value: [...reply.value, ...gone] };
}

/** Reads the next page of changes. The cursor moves in the transaction that stores the page. */
export async function pullStep(inScope: InScope, sync: Sync, run: RunRow): Promise<StepResult> {
  const { cursor } = sync.integration;
  const reply = await sync.contacts.pull(cursor, sync.fields);
  if (!reply.ok) return reply;
  const { records, cursor: next, isLast } = reply.value;
  await inScope(async (scope) => {
    if (!(await lockRun(scope, run))) return;
    const now = await findIntegrationById(scope, sync.integration.id, 'FOR NO KEY UPDATE');
    if (!now || now.cursor !== cursor) return;
    const read = await storeRecords(scope, sync, records, { isAsked: false });
    await scope.query('UPDATE integrations SET cursor = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, sync.integration.id, next],
    ]);
    const counts = add(run.counts, { read });
    await storeProgress(scope, run.id, { phase: isLast ? 'apply' : 'pull', place: null, counts });
  });
  return NEXT;
}

/** Stores records that are to be applied; answers with how many. One that did not change since it was last read is left alone. */
export async function storeRecords(
  scope: WorkspaceScope,
  sync: Sync,
  records: readonly RemoteRecord[],
  { isAsked }: { isAsked: boolean },
): Promise<number> {
  const phone = sync.mapping.find(({ ours }) => ours === 'phone')?.theirs ?? '';
  const rows = records
    .filter(({ isDeleted }) => !isDeleted)
    .map((record) => ({
      ...{ id: newId(), external_id: record.id, values: storable(record.values) },
      ...{ updated_at: record.updatedAt, edited_at: record.editedAt },
      phone_key: phoneKeyOf(sync, record.values[phone]),
      is_wanted: isWanted(sync, record.values),
    }));
  const { rowCount: changed } = await scope.query(
    `INSERT INTO integration_records AS r (workspace_id, integration_id, id, external_id, remote_values, remote_updated_at, remote_edited_at,
                                           phone_key, is_pending)
     SELECT DISTINCT ON (n.external_id) $1::uuid, $2::uuid, n.id, n.external_id, n.values, n.updated_at, n.edited_at, n.phone_key, true
       FROM (SELECT n.id, n.external_id, n.values, n.updated_at, n.edited_at,
                    -- A record that the filter leaves out shares its number with nobody.
                    CASE WHEN n.is_wanted OR EXISTS (SELECT FROM integration_records k WHERE k.workspace_id = $1 AND k.integration_id = $2
                      AND k.external_id = n.external_id AND k.contact_id IS NOT NULL) THEN n.phone_key END AS phone_key
               FROM jsonb_to_recordset($3::jsonb) AS n (id uuid, external_id text, values jsonb, updated_at timestamptz, edited_at timestamptz,
                                                        phone_key text, is_wanted boolean)) AS n
      ORDER BY n.external_id, n.updated_at DESC
     ON CONFLICT (workspace_id, integration_id, external_id) DO UPDATE SET
       remote_values = excluded.remote_values, remote_updated_at = excluded.remote_updated_at, remote_edited_at = excluded.remote_edited_at,
       phone_key = excluded.phone_key, is_pending = true, is_gone = false,
       -- One that waits for room may belong to a contact by now, and say an opt-out.
       is_held = false
     WHERE $4 OR r.is_gone OR (r.is_pending AND NOT r.is_held) OR r.remote_updated_at IS DISTINCT FROM excluded.remote_updated_at`,
    [scope.workspaceId, sync.integration.id, JSON.stringify(rows), isAsked],
  );
  const gone = records.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
  const { rowCount: removed } = await scope.query(
    `UPDATE integration_records SET is_gone = true, is_pending = true, is_held = false, remote_values = '{}', phone_key = NULL
      WHERE workspace_id = $1 AND integration_id = $2 AND external_id = ANY ($3) AND NOT is_gone`,
    [scope.workspaceId, sync.integration.id, gone],
  );
  return (changed ?? 0) + (removed ?? 0);
}

/** No column takes the sign NUL or half of a sign. */
function storable(values: RemoteRecord['values']): RemoteRecord['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value && storableText(value)]),
  );
}

export async function moveTo(inScope: InScope, run: RunRow, phase: RunRow['phase']): Promise<StepResult> {
  await inScope(async (scope) => {
    if (await lockRun(scope, run)) await storeProgress(scope, run.id, { ...run, phase, place: null });
  });
  return NEXT;
}

export function add(counts: RunCounts, more: Partial<RunCounts>): RunCounts {
  const sum = { ...counts };
  for (const [name, n] of Object.entries(more) as [keyof RunCounts, number][])
    sum[name] = (sum[name] ?? 0) + n;
  return sum;
}
