import { addDays } from '@app/domain/flows/flow-times';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Counts = { runs: number; completed: number; failed: number; calls: number; failedCalls: number };
type Row = Counts & { day: string; flow_id: string };

export type DayFigures = {
  zone: string;
  days: (Counts & { day: string })[];
  workflows: (Pick<Counts, 'runs' | 'calls' | 'failedCalls'> & { workflowId: string })[];
};

const none: Counts = { runs: 0, completed: 0, failed: 0, calls: 0, failedCalls: 0 };

/** Runs and calls of the last days, today included. They are stored for 30 days. */
export async function countByDay(scope: ReadScope, days: number): Promise<DayFigures> {
  const { rows: found } = await scope.query<{ zone: string; today: string; begin: Date }>(
    `SELECT zone, to_char($2::timestamptz AT TIME ZONE zone, 'YYYY-MM-DD') AS today,
            (date_trunc('day', $2::timestamptz AT TIME ZONE zone) - make_interval(days => $3 - 1)) AT TIME ZONE zone AS begin
       FROM (SELECT coalesce(settings->>'timeZone', 'UTC') AS zone FROM workspaces WHERE id = $1) AS w`,
    [scope.workspaceId, scope.clock(), days],
  );
  const { zone, today, begin } = found[0]!; // the workspace of the scope is there
  const { rows } = await scope.query<Row>(
    `WITH runs AS (
       SELECT to_char(r.started_at AT TIME ZONE $3, 'YYYY-MM-DD') AS day, r.flow_id, count(*)::int AS runs,
              count(*) FILTER (WHERE r.status = 'completed')::int AS completed, count(*) FILTER (WHERE r.status = 'failed')::int AS failed
         FROM flows f JOIN flow_runs r ON r.flow_id = f.id AND r.started_at >= $2 AND NOT r.is_test
        WHERE f.workspace_id = $1 AND f.kind = 'workflow' GROUP BY 1, 2),
     calls AS (
       SELECT to_char(e.asked_at AT TIME ZONE $3, 'YYYY-MM-DD') AS day, r.flow_id, count(*)::int AS calls,
              count(*) FILTER (WHERE e.state IN ('failed', 'unknown'))::int AS failed
         FROM flow_effects e JOIN flow_runs r ON r.id = e.run_id JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow'
        WHERE e.workspace_id = $1 AND e.kind = 'webhook_call' AND e.asked_at >= $2 GROUP BY 1, 2)
     SELECT day, flow_id, coalesce(r.runs, 0) AS runs, coalesce(r.completed, 0) AS completed, coalesce(r.failed, 0) AS failed,
            coalesce(c.calls, 0) AS calls, coalesce(c.failed, 0) AS "failedCalls"
       FROM runs r FULL JOIN calls c USING (day, flow_id)`,
    [scope.workspaceId, begin, zone],
  );
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const byFlow = Map.groupBy(rows, ({ flow_id: flowId }) => flowId);
  return {
    zone,
    days: Array.from({ length: days }, (_, index) => addDays(today, index + 1 - days)).map((day) => ({
      day,
      ...sum(byDay.get(day) ?? []),
    })),
    workflows: [...byFlow].map(([workflowId, all]) => {
      const { runs, calls, failedCalls } = sum(all);
      return { workflowId, runs, calls, failedCalls };
    }),
  };
}

function sum(rows: readonly Counts[]): Counts {
  return rows.reduce(
    (total, row) => ({
      runs: total.runs + row.runs,
      completed: total.completed + row.completed,
      failed: total.failed + row.failed,
      calls: total.calls + row.calls,
      failedCalls: total.failedCalls + row.failedCalls,
    }),
    none,
  );
}
