import { eachApart } from '@app/database/each-apart';
import { isAtDepthLimit } from '@app/domain/events/fact-cause';
import type { Json } from '@app/domain/flows/flow-file';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import { runClasses, type FlowHost, type FlowTransaction } from '@app/flows/flow-host';
import { addStarts } from '@app/flows/flow-starts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import { beginDueTriggers } from './due-triggers.ts';
import { findSwept, type Swept } from './sweep.ts';

/** Contacts of one slice. */
const SLICE = 500;
/** A flow with more starts that wait gets no further ones: the rest stays in the sweep. */
const MOST_WAITING = 2_000;
const SWEEPS_AT_ONCE = 20;

type Host = Pick<FlowHost<WorkspaceScope>, 'systemPool' | 'inWorkspace' | 'now' | 'logger'>;

/**
 * Begins what the clock begins, and writes some starts of each sweep that is due. Contacts are looked up as they are by then. Answers whether a sweep
 * has more for now.
 */
export async function makeStarts(host: Host, signal: AbortSignal): Promise<boolean> {
  await beginDueTriggers(host);
  const { rows } = await host.systemPool.query<{ id: string; workspace_id: string }>(
    `SELECT id, workspace_id FROM flow_sweeps WHERE ended_at IS NULL AND due_at <= $1 ORDER BY due_at, id LIMIT ${SWEEPS_AT_ONCE}`,
    [new Date(host.now())],
  );
  let hasMore = false;
  const sweep = async ({ id, workspace_id: workspaceId }: { id: string; workspace_id: string }) => {
    if (signal.aborted) return;
    const isLonger = await host.inWorkspace(workspaceId, (transaction) =>
      sweepSome(transaction, id, host.now()),
    );
    hasMore ||= isLonger;
  };
  await eachApart(rows, sweep, (err, { id, workspace_id: workspaceId }) =>
    host.logger.error({ err, workspaceId, sweepId: id }, 'starts of a flow could not be made'),
  );
  return hasMore && !signal.aborted;
}

type Row = {
  flow_id: string;
  version: number;
  trigger_id: string | null;
  source: string;
  chosen: Swept;
  values: { [name: string]: Json };
  depth: number;
  at: Date;
  after_id: string | null;
  is_active: boolean;
  published: number;
  conditions: SegmentRules | null;
  waiting: number;
};

/** One slice; answers whether another one may follow at once. */
async function sweepSome(
  transaction: FlowTransaction<WorkspaceScope>,
  sweepId: string,
  now: number,
): Promise<boolean> {
  const { rows } = await transaction.query<Row>(
    `SELECT s.flow_id, s.version, s.trigger_id, s.source, s.chosen, s."values", s.depth, s.at, s.after_id, t.conditions,
            f.status = 'active' AND (f.published = s.version OR s.trigger_id IS NULL) AS is_active, f.published,
            (SELECT count(*)::int FROM (SELECT FROM flow_starts o WHERE o.flow_id = s.flow_id AND o.state = 'open' LIMIT ${MOST_WAITING}) AS o) AS waiting
       FROM flow_sweeps s JOIN flows f ON f.id = s.flow_id
       LEFT JOIN flow_triggers t ON t.flow_id = s.flow_id AND t.trigger_id = s.trigger_id AND t.version = s.version
      WHERE s.workspace_id = $1 AND s.id = $2 AND s.ended_at IS NULL FOR UPDATE OF s SKIP LOCKED`,
    [transaction.workspaceId, sweepId],
  );
  const [sweep] = rows;
  if (!sweep) return false;
  const { chosen, conditions, after_id: afterId } = sweep;
  // Who paused or published the flow meanwhile wants no more of this one; who entered contacts by hand wants them in the version of now.
  if (!sweep.is_active || isAtDepthLimit(sweep)) return end(transaction, sweepId, now);
  if (sweep.waiting >= MOST_WAITING) return false;
  const start = {
    ...{ flowId: sweep.flow_id, version: sweep.published, triggerId: sweep.trigger_id },
    ...{ channelId: null, source: sweep.source, values: sweep.values, depth: sweep.depth, at: sweep.at },
  };
  if (chosen.kind === 'nobody') {
    await addStarts(transaction, [{ ...start, contactId: null, class: runClasses.event }]);
    return end(transaction, sweepId, now);
  }
  const ids = await findSwept(transaction, { chosen, conditions, afterId, limit: SLICE });
  await addStarts(
    transaction,
    ids.map((contactId) => ({ ...start, contactId, class: runClasses.bulk })),
  );
  if (ids.length < SLICE) return end(transaction, sweepId, now);
  await transaction.query('UPDATE flow_sweeps SET after_id = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[transaction.workspaceId, sweepId, ids.at(-1)],
  ]);
  return true;
}

/** A list of contacts is not stored for longer than it is needed. */
async function end(
  transaction: FlowTransaction<WorkspaceScope>,
  sweepId: string,
  now: number,
): Promise<false> {
  await transaction.query(
    `UPDATE flow_sweeps SET ended_at = $3, chosen = CASE WHEN chosen->>'kind' = 'audience' THEN '{"kind":"audience"}' ELSE chosen END
      WHERE workspace_id = $1 AND id = $2`,
    [...[transaction.workspaceId, sweepId, new Date(now)]],
  );
  return false;
}
