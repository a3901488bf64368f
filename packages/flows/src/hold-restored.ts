import type { SqlQueries } from '@app/database/sql-queries';
import { runClasses } from './flow-host.ts';
import { wakeFlows } from './flow-inputs.ts';

/**
 * What was under way when a backup was taken may have gone on since: after a restore active flows are paused, and runs in progress end as
 * `restored`, so that none acts a second time. A person activates the flow, and lets runs that waited go on, or retries them from a step.
 */
export async function holdRestoredFlows(client: SqlQueries): Promise<number> {
  const { rows } = await client.query<{ flow_id: string; n: number }>(
    `WITH ended AS (
       UPDATE flow_runs SET status = 'cancelled', end_code = 'restored', ended_at = now(), due_at = NULL, wait = NULL, owner = NULL, lease_until = NULL
        WHERE status = 'running' RETURNING flow_id)
     SELECT flow_id, count(*)::int AS n FROM ended GROUP BY flow_id`,
  );
  await client.query(
    `UPDATE flows f SET cancelled = f.cancelled + g.n FROM jsonb_to_recordset($1::jsonb) AS g (flow_id uuid, n integer) WHERE f.id = g.flow_id`,
    [JSON.stringify(rows)],
  );
  await client.query(
    `UPDATE flow_starts SET state = 'refused', reason = 'restored', settled_at = now() WHERE state = 'open'`,
  );
  await client.query('UPDATE flow_sweeps SET ended_at = now() WHERE ended_at IS NULL');
  const { rowCount } = await client.query(
    `UPDATE flows SET status = 'paused', paused_for = 'restored', paused_by_run = NULL WHERE status = 'active'`,
  );
  return rowCount ?? 0;
}

/**
 * A run that a restore ended while it waited for a time, a reply or an event, or before its first step. Of one that waited for an effect nobody knows
 * what became of it.
 */
export function isHeldSql(alias: string): string {
  return `${alias}.status = 'cancelled' AND ${alias}.end_code = 'restored' AND NOT ${alias}.is_test
    AND coalesce(${alias}.state->'wait'->>'kind', 'start') <> 'effect'`;
}

/** Has the held runs of a flow go on where they waited; those whose time is over, and those that got a reply, at once. Answers with how many. */
export async function continueHeldRuns(
  client: SqlQueries,
  { workspaceId, flowId, now }: { workspaceId: string; flowId: string; now: Date },
): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE flow_runs r SET status = 'running', end_code = NULL, ended_at = NULL, attempt = 0,
            wait = CASE WHEN (r.state->>'isDelayed')::boolean THEN r.state->'wait'->>'kind' WHEN r.state->'wait'->>'kind' IS NOT NULL THEN 'delay' END,
            due_at = CASE WHEN r.state->'wait'->>'kind' IS NULL OR EXISTS (SELECT FROM flow_inputs i WHERE i.run_id = r.id AND i.is_open) THEN $3::timestamptz
                          ELSE to_timestamp((r.state->'wait'->>'until')::float8 / 1000) END
      WHERE r.workspace_id = $1 AND r.flow_id = $2 AND ${isHeldSql('r')}`,
    [workspaceId, flowId, now],
  );
  const count = rowCount ?? 0;
  if (count === 0) return 0;
  await client.query('UPDATE flows SET cancelled = cancelled - $3 WHERE workspace_id = $1 AND id = $2', [
    workspaceId,
    flowId,
    count,
  ]);
  await wakeFlows(client, runClasses.event);
  return count;
}
