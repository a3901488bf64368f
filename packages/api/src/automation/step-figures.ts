import type { ReadScope } from '../platform/workspace-scope.ts';

export type StepFigures = {
  stepId: string;
  reached: number;
  waiting: number;
  failed: number;
  left: { exit: string | null; n: number }[];
};

/** More runs than these would make the answer slow, and say little more. */
const MOST_RUNS = 10_000;

/** Drop-off of a workflow, computed from the log of its newest runs; tests do not count. A run that came to a step twice counts once. */
export async function countSteps(
  scope: ReadScope,
  workflowId: string,
): Promise<{ runs: number; items: StepFigures[] }> {
  const { rows } = await scope.query<{
    step_id: string | null;
    exit: string | null;
    kind: string;
    n: number;
  }>(
    `WITH counted AS (SELECT id, status, step_id FROM flow_runs WHERE workspace_id = $1 AND flow_id = $2 AND NOT is_test
        ORDER BY started_at DESC, id DESC LIMIT ${MOST_RUNS}),
     seen AS (SELECT l.run_id, l.step_id, l.exit, l.event FROM counted c JOIN flow_log l ON l.run_id = c.id
       WHERE l.workspace_id = $1 AND l.step_id IS NOT NULL AND l.event <> 'ignored'),
     here AS (SELECT id AS run_id, step_id FROM counted WHERE status = 'running' AND step_id IS NOT NULL)
     SELECT NULL AS step_id, NULL AS exit, 'run' AS kind, count(*)::int AS n FROM counted
     UNION ALL SELECT step_id, NULL, 'reached', count(DISTINCT run_id)::int FROM (SELECT run_id, step_id FROM seen UNION ALL SELECT * FROM here) AS r GROUP BY step_id
     UNION ALL SELECT step_id, NULL, 'waiting', count(*)::int FROM here GROUP BY step_id
     UNION ALL SELECT step_id, NULL, 'failed', count(DISTINCT run_id)::int FROM seen WHERE event = 'failed' GROUP BY step_id
     UNION ALL SELECT step_id, exit, 'left', count(DISTINCT run_id)::int FROM seen WHERE event <> 'failed' GROUP BY step_id, exit`,
    [scope.workspaceId, workflowId],
  );
  const items = new Map<string, StepFigures>();
  for (const { step_id: stepId, exit, kind, n } of rows) {
    if (stepId === null) continue;
    const item = items.get(stepId) ?? { stepId, reached: 0, waiting: 0, failed: 0, left: [] };
    items.set(stepId, item);
    if (kind === 'left') item.left.push({ exit, n });
    else if (kind === 'reached' || kind === 'waiting' || kind === 'failed') item[kind] = n;
  }
  return { runs: rows.find(({ kind }) => kind === 'run')?.n ?? 0, items: [...items.values()] };
}
