import type { FlowFile } from '@app/domain/flows/flow-file';
import type { ReadScope } from '../../platform/workspace-scope.ts';

export type FlowDropOff = {
  flowId: string;
  name: string;
  /** Runs that began within the period. */
  started: number;
  /** In the order of the flow. */
  steps: { stepId: string; type: string; text: string; reached: number; stopped: number }[];
};

/** Newer ones say all: more runs than these would make the answer slow. */
const MOST_RUNS = 20_000;
const LONGEST_TEXT = 80;
/** Exits by which a run ends although it is not at its end. */
const GIVES_UP = ['timed_out', 'invalid', 'failed'];

/** How far customers came in each flow of the bot, and after which step they went no further. A run that is still going on has stopped nowhere. */
export async function findDropOff(scope: ReadScope, since: Date): Promise<FlowDropOff[]> {
  const of = [scope.workspaceId, since];
  const { rows: flows } = await scope.query<{ id: string; name: string; content: FlowFile; started: number }>(
    `SELECT f.id, f.name, v.content, r.started FROM bot_flows b JOIN flows f ON f.id = b.id
       JOIN flow_versions v ON v.flow_id = f.id AND v.number = f.published
       JOIN (SELECT flow_id, count(*)::int AS started FROM flow_runs
              WHERE workspace_id = $1 AND started_at > $2 AND NOT is_test GROUP BY flow_id) AS r ON r.flow_id = f.id
      WHERE b.workspace_id = $1 ORDER BY r.started DESC, f.id`,
    of,
  );
  if (flows.length === 0) return [];
  const { rows } = await scope.query<{ flow_id: string; step_id: string; reached: number; stopped: number }>(
    `WITH counted AS (SELECT id, flow_id, status, step_id FROM flow_runs WHERE workspace_id = $1 AND started_at > $2 AND NOT is_test AND flow_id = ANY ($3::uuid[])
        ORDER BY started_at DESC LIMIT ${MOST_RUNS}),
     seen AS (SELECT DISTINCT ON (c.id, l.step_id) c.id, c.flow_id, c.status, l.step_id, l.visit, l.exit FROM counted c JOIN flow_log l ON l.run_id = c.id
       WHERE l.workspace_id = $1 AND l.step_id IS NOT NULL AND l.event <> 'ignored' ORDER BY c.id, l.step_id, l.visit DESC, l.ended_at DESC),
     -- A step is in the log once it is over.
     here AS (SELECT id, flow_id, status, step_id, 1000000 AS visit, NULL AS exit FROM counted c WHERE status = 'running' AND step_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM seen s WHERE s.id = c.id AND s.step_id = c.step_id))
     SELECT flow_id, step_id, count(*)::int AS reached,
            (count(*) FILTER (WHERE is_last AND status <> 'running' AND (status <> 'completed' OR exit = ANY ($4::text[]))))::int AS stopped
       FROM (SELECT flow_id, step_id, status, exit, visit = max(visit) OVER (PARTITION BY id) AS is_last FROM (SELECT * FROM seen UNION ALL SELECT id, flow_id, status, step_id, visit, exit FROM here) AS u) AS s GROUP BY flow_id, step_id`,
    [...of, flows.map(({ id }) => id), GIVES_UP],
  );
  return flows.map(({ id, name, content, started }) => ({
    ...{ flowId: id, name, started },
    steps: content.steps.flatMap(({ id: stepId, type, config }) => {
      const found = rows.find((row) => row.flow_id === id && row.step_id === stepId);
      const text = typeof config['text'] === 'string' ? config['text'].slice(0, LONGEST_TEXT) : '';
      return found ? [{ stepId, type, text, reached: found.reached, stopped: found.stopped }] : [];
    }),
  }));
}
