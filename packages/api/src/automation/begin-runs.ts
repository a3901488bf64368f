import { randomInt } from 'node:crypto';
import { newId } from '@app/database/new-id';
import { newRunState, type RunState } from '@app/domain/flows/run-state';
import type { FlowProblem } from '@app/domain/flows/check-flow';
import type { FlowFile, Json } from '@app/domain/flows/flow-file';
import { runClasses } from '@app/flows/flow-host';
import { wakeFlows } from '@app/flows/flow-inputs';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { checkFlow } from './check-references.ts';
import { findFlowRow } from './workflows-queries.ts';

type Ended = {
  flow_id: string;
  version: number;
  contact_id: string | null;
  channel_id: string | null;
  trigger_id: string | null;
  status: string;
  state: RunState;
  depth: number;
  is_test: boolean;
  current: number | null;
  kept: FlowFile;
  published: FlowFile | null;
  last_step: string | null;
};

/**
 * Begins a new run at a step of one that has ended, with what that one knew. It follows the published version where that has the step, so that what
 * was mended counts, and else the version of the old one. Whether the contact may enter is not asked again.
 */
export async function retryRun(
  scope: WorkspaceScope,
  { runId, stepId }: { runId: string; stepId?: string | undefined },
): Promise<
  { runId: string } | 'workflow_run_not_found' | 'workflow_run_in_progress' | 'workflow_step_not_found'
> {
  const { rows } = await scope.query<Ended>(
    `SELECT r.flow_id, r.version, r.contact_id, r.channel_id, r.trigger_id, r.status, r.state, r.depth, r.is_test,
            f.published AS current, v.content AS kept, p.content AS published,
            (SELECT l.step_id FROM flow_log l WHERE l.workspace_id = r.workspace_id AND l.run_id = r.id AND l.ended_at >= r.started_at
              AND l.step_id IS NOT NULL AND l.event <> 'ignored' ORDER BY l.ended_at DESC, l.visit DESC LIMIT 1) AS last_step
       FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow'
       JOIN flow_versions v ON v.flow_id = r.flow_id AND v.number = r.version
       LEFT JOIN flow_versions p ON p.flow_id = f.id AND p.number = f.published
      WHERE r.workspace_id = $1 AND r.id = $2 FOR UPDATE OF r`,
    [scope.workspaceId, runId],
  );
  const [ended] = rows;
  if (!ended) return 'workflow_run_not_found';
  if (ended.status === 'running') return 'workflow_run_in_progress';
  const wanted = stepId ?? ended.last_step ?? ended.kept.start;
  const has = (flow: FlowFile | null) => flow?.steps.some(({ id }) => id === wanted) === true;
  if (wanted === null || !(has(ended.kept) || has(ended.published))) return 'workflow_step_not_found';
  const isMended = !ended.is_test && ended.current !== null && has(ended.published);
  const { flow_id: flowId, contact_id: contactId, channel_id: channelId, trigger_id: triggerId } = ended;
  return insertRun(scope, {
    ...{ flowId, contactId, channelId, triggerId, retriedFrom: runId, isTest: ended.is_test },
    ...{ version: isMended ? ended.current! : ended.version, depth: ended.depth },
    state: {
      ...newRunState(ended.state.trigger, scope.clock().getTime()),
      ...{ steps: ended.state.steps, from: wanted },
    },
  });
}

/** Versions of tests are negative: they are no versions of the workflow, and nobody sees them. */
export async function testDraft(
  scope: WorkspaceScope,
  {
    workflowId,
    contactId,
    values,
  }: { workflowId: string; contactId: string; values: { readonly [name: string]: Json } },
): Promise<{ runId: string } | FlowProblem[] | 'workflow_not_found' | 'contact_not_found'> {
  const found = await findFlowRow(scope, workflowId, 'FOR UPDATE OF f');
  if (!found) return 'workflow_not_found';
  const { rowCount } = await scope.query('SELECT FROM contacts WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    contactId,
  ]);
  if (!rowCount) return 'contact_not_found';
  const problems = await checkFlow(scope, found.draft, found.content);
  if (problems.length > 0) return problems;
  const of = [scope.workspaceId, workflowId];
  await scope.query(
    `DELETE FROM flow_versions v WHERE v.workspace_id = $1 AND v.flow_id = $2 AND v.number < 0
        AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.flow_id = v.flow_id AND r.version = v.number)`,
    of,
  );
  const { rows } = await scope.query<{ number: number }>(
    `INSERT INTO flow_versions (workspace_id, flow_id, number, content, published_at, published_by_name)
     SELECT $1, $2, least(coalesce(min(number), 0), 0) - 1, $3, $4, '' FROM flow_versions WHERE workspace_id = $1 AND flow_id = $2 RETURNING number`,
    [...of, JSON.stringify(found.draft), scope.clock()],
  );
  return insertRun(scope, {
    ...{ flowId: workflowId, contactId, channelId: null, triggerId: null, retriedFrom: null },
    ...{ isTest: true, version: rows[0]!.number, depth: 0 },
    state: newRunState(values, scope.clock().getTime()),
  });
}

async function insertRun(
  scope: WorkspaceScope,
  run: {
    flowId: string;
    version: number;
    contactId: string | null;
    channelId: string | null;
    triggerId: string | null;
    retriedFrom: string | null;
    isTest: boolean;
    depth: number;
    state: RunState;
  },
): Promise<{ runId: string }> {
  const runId = newId();
  await scope.query(
    `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, channel_id, trigger_id, status, state, class, due_at, seed, depth, is_test,
       retried_from, started_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'running', $8, ${runClasses.person}, $9, $10, $11, $12, $13, $9)`,
    [
      ...[runId, scope.workspaceId, run.flowId, run.version, run.contactId, run.channelId, run.triggerId],
      ...[
        JSON.stringify(run.state),
        scope.clock(),
        randomInt(2 ** 32),
        run.depth,
        run.isTest,
        run.retriedFrom,
      ],
    ],
  );
  if (!run.isTest)
    await scope.query(
      'UPDATE flows SET triggered = triggered + 1, last_triggered_at = $3 WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, run.flowId, scope.clock()],
    );
  await wakeFlows(scope, runClasses.person);
  return { runId };
}
