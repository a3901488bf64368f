import type { SqlClient } from '../sql-client.ts';

/**
 * Messages per second that the campaigns may send which are running at this moment, of all workspaces; 0 when none is running. Call it with a
 * connection of the system scope.
 */
export async function readRunningRate(client: SqlClient): Promise<number> {
  const { rows } = await client.query<{ per_second: number }>(
    `SELECT coalesce(sum(least(c.messages_per_second, d.rate_per_second)), 0)::double precision AS per_second
       FROM channels c LEFT JOIN delivery_channels d ON d.channel_id = c.id
      WHERE c.id IN (SELECT channel_id FROM delivery_runs WHERE state = 'running' AND completed_at IS NULL)`,
  );
  return rows[0]?.per_second ?? 0;
}
