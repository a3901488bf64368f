import type { SqlClient } from './sql-client.ts';

const dayMs = 86_400_000;

/**
 * Takes up to `wanted` messages from what the workspace may still send today (UTC), over all its channels and processes.
 * `nextDayAt` (milliseconds since 1970) is when the count starts again. Without a limit nothing is counted.
 */
export async function takeDailyAllowance(
  client: SqlClient,
  workspaceId: string,
  wanted: number,
  perDay: number | null,
  now: number,
): Promise<{ count: number; nextDayAt: number }> {
  const nextDayAt = (Math.floor(now / dayMs) + 1) * dayMs;
  if (perDay === null) return { count: wanted, nextDayAt };
  const { rows } = await client.query<{ count: number }>(
    `WITH known AS (
       INSERT INTO delivery_usage (workspace_id, day) VALUES ($1, $2) ON CONFLICT (workspace_id, day) DO UPDATE SET used = delivery_usage.used
       RETURNING used
     )
     SELECT greatest(0, least($3, $4 - used))::integer AS count FROM known`,
    [workspaceId, new Date(now).toISOString().slice(0, 10), wanted, perDay],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return { count, nextDayAt };
  const taken = await client.query(
    `UPDATE delivery_usage SET used = used + $3 WHERE workspace_id = $1 AND day = $2 AND used + $3 <= $4`,
    [workspaceId, new Date(now).toISOString().slice(0, 10), count, perDay],
  );
  return taken.rowCount === 1
    ? { count, nextDayAt }
    : takeDailyAllowance(client, workspaceId, wanted, perDay, now);
}
