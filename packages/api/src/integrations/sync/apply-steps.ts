import {
  integrationLimits,
  type RecordError,
  type RunCounts,
} from '@app/domain/integrations/integration-rules';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { RunRow, SampleRow } from '../integration-rows.ts';
import { applyPage, count } from './apply-page.ts';
import { lockRoom, readRoom, releaseHeld } from './contact-room.ts';
import { findMatches } from './find-matches.ts';
import type { Sync } from './open-sync.ts';
import { optsOut, planRecord, type RecordPlan } from './plan-record.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-row.ts';
import { add, moveTo, type InScope, type StepResult } from './read-steps.ts';
import { lockRun, storeProgress } from './sync-runs.ts';

const NEXT: StepResult = { ok: true, value: 'next' };
/** Records of one transaction. Contacts that change are locked until it ends, and campaigns wait for none of them long. */
const AT_ONCE = 400;

/** Applies records that wait. Each is apart: one that cannot be applied leaves its neighbours alone. */
export async function applyStep(inScope: InScope, sync: Sync, run: RunRow): Promise<StepResult> {
  const hasMore = await inScope(async (scope) => {
    await lockRoom(scope);
    if (!(await lockRun(scope, run))) return true;
    const rows = await readPending(scope, sync, run.place, AT_ONCE, 'FOR UPDATE');
    const last = rows.at(-1);
    if (last) {
      const { counts } = await applyPage(scope, sync, rows, await readRoom(scope));
      await storeProgress(scope, run.id, { ...run, place: last.id, counts: add(run.counts, counts) });
      return true;
    }
    // Once more from the start: a webhook may have named one that was passed.
    const isStart = run.place === null;
    if (isStart && (await releaseHeld(scope, sync.integration.id)) === 0) return false;
    await storeProgress(scope, run.id, { ...run, place: null });
    return true;
  });
  if (hasMore) return NEXT;
  const readsAll = run.trigger !== 'retry' && run.trigger !== 'event';
  return moveTo(inScope, run, readsAll ? 'items' : 'push');
}

/** Counts what would become of records that wait, and shows the first of them. Nothing is changed. */
export async function previewStep(inScope: InScope, sync: Sync, run: RunRow): Promise<StepResult> {
  const hasMore = await inScope(async (scope) => {
    if (!(await lockRun(scope, run))) return true;
    const rows = await readPending(scope, sync, run.place, AT_ONCE, '');
    const last = rows.at(-1);
    if (!last) return false;
    const counts: Partial<RunCounts> = {};
    const sample: SampleRow[] = [...run.sample];
    const find = await findMatches(scope, sync, rows);
    for (const row of rows) {
      const plan = planRecord(find, sync, row);
      count(counts, [plan.action, ...(optsOut(plan) ? (['optedOut'] as const) : [])]);
      if ('send' in plan && (Object.keys(plan.send).length > 0 || plan.sendOptOut)) count(counts, ['sent']);
      if (plan.action !== 'filtered' && sample.length < integrationLimits.sample)
        sample.push(describe(sync, row, plan));
    }
    const progress = { phase: 'apply' as const, place: last.id, counts: add(run.counts, counts), sample };
    await storeProgress(scope, run.id, progress);
    return true;
  });
  return hasMore ? NEXT : moveTo(inScope, run, 'push');
}

async function readPending(
  scope: WorkspaceScope,
  { integration }: Sync,
  after: string | null,
  limit: number,
  lock: '' | 'FOR UPDATE',
): Promise<RecordRow[]> {
  const { rows } = await scope.query<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM integration_records
      WHERE workspace_id = $1 AND integration_id = $2 AND is_pending AND NOT is_held AND remote_values IS NOT NULL AND ($3::uuid IS NULL OR id > $3)
      ORDER BY id LIMIT $4 ${lock}`,
    [scope.workspaceId, integration.id, after, limit],
  );
  return rows;
}

function describe(sync: Sync, row: RecordRow, plan: Exclude<RecordPlan, { action: 'filtered' }>): SampleRow {
  const value = (ours: string): string | null => {
    const field = sync.mapping.find((one) => one.ours === ours)?.theirs;
    return (field && row.remote_values[field]) || null;
  };
  const error: RecordError | null = plan.action === 'failed' ? plan.error : null;
  return {
    ...{ action: plan.action, name: value('name') ?? value('email') ?? '', phone: value('phone') },
    ...{ email: value('email'), error },
  };
}
