import type { SqlQueries } from '@app/database/sql-queries';
import { classesInOrder } from './flow-host.ts';
import { openStarts, plannedRuns, workspacesWithSql } from './workspaces-with.ts';

/**
 * When something falls due next, in milliseconds from now: 0 when it is already, null when nothing is planned. One query, which costs a few look-ups
 * for each workspace with open runs or starts, however many of them wait. Runs that another process has are left out.
 */
export async function findNextDue(pool: SqlQueries, now: number): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `WITH RECURSIVE starting AS (
       ${workspacesWithSql('starting', 'flow_starts', openStarts)}),
     running AS (
       ${workspacesWithSql('running', 'flow_runs', plannedRuns)}),
     planned (at) AS (
       (SELECT t.next_at FROM flow_triggers t JOIN flows f ON f.id = t.flow_id
         WHERE t.next_at IS NOT NULL AND f.status = 'active' AND f.published = t.version ORDER BY t.next_at LIMIT 1)
       UNION ALL
       (SELECT due_at FROM flow_sweeps WHERE ended_at IS NULL ORDER BY due_at LIMIT 1)
       UNION ALL
       SELECT first.not_before FROM starting w CROSS JOIN unnest($2::integer[]) AS c (class)
        CROSS JOIN LATERAL (SELECT not_before FROM flow_starts
                             WHERE workspace_id = w.workspace_id AND state = 'open' AND class = c.class ORDER BY not_before LIMIT 1) AS first
       UNION ALL
       SELECT first.due_at FROM running w CROSS JOIN unnest($2::integer[]) AS c (class)
        CROSS JOIN LATERAL (SELECT due_at FROM flow_runs
                             WHERE workspace_id = w.workspace_id AND class = c.class AND due_at IS NOT NULL
                               AND (lease_until IS NULL OR lease_until < $1) ORDER BY due_at LIMIT 1) AS first)
     SELECT (extract(epoch FROM CASE WHEN min(at) IS NOT NULL THEN greatest(min(at), $1) END) * 1000)::float8 AS ms FROM planned`,
    [new Date(now), classesInOrder],
  );
  const at = rows[0]?.ms ?? null;
  return at === null ? null : Math.max(0, at - now);
}
