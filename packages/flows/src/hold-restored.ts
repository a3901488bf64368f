import type { SqlQueries } from '@app/database/sql-queries';

/**
 * What was under way when a backup was taken may have gone on since: after a restore active flows are paused, and runs in progress end as
 * `restored`, so that none acts a second time. A person activates the flow, and retries from a step.
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
