import type { SqlClient } from '../sql-client.ts';

const dayMs = 86_400_000;

export type DailyAllowance = {
  /** How many more messages may leave today. */
  left: number;
  /** The day (UTC) as the database writes it: what has to be given back is given back to it. */
  day: string;
  /** When the count starts again, in milliseconds since 1970. */
  nextDayAt: number;
};

export function utcDayOf(now: number): { day: string; nextDayAt: number } {
  return {
    day: new Date(now).toISOString().slice(0, 10),
    nextDayAt: (Math.floor(now / dayMs) + 1) * dayMs,
  };
}

/**
 * What a workspace may still send today, over all its channels and processes. Call it inside a transaction, before any lock on a run:
 * until that ends nobody else of the workspace takes any, so that what is handed out and what is counted cannot differ.
 * Whoever finds nothing left is noted: see `full_at` in the table.
 */
export async function lockDailyAllowance(
  client: SqlClient,
  workspaceId: string,
  perDay: number,
  now: number,
): Promise<DailyAllowance> {
  const { day, nextDayAt } = utcDayOf(now);
  const { rows } = await client.query<{ used: number }>(
    `INSERT INTO delivery_usage AS u (workspace_id, day) VALUES ($1, $2)
     ON CONFLICT (workspace_id, day) DO UPDATE SET full_at = CASE WHEN u.used >= $3 THEN u.used ELSE u.full_at END
     RETURNING used`,
    [workspaceId, day, perDay],
  );
  return { left: Math.max(0, perDay - (rows[0]?.used ?? 0)), day, nextDayAt };
}

/** Counts messages that are handed out; in the transaction of `lockDailyAllowance`. */
export async function useDailyAllowance(
  client: SqlClient,
  workspaceId: string,
  day: string,
  count: number,
): Promise<void> {
  if (count === 0) return;
  await client.query('UPDATE delivery_usage SET used = used + $3 WHERE workspace_id = $1 AND day = $2', [
    workspaceId,
    day,
    count,
  ]);
}

/** For a message that did not leave after all. */
export async function giveBackDailyAllowance(
  client: SqlClient,
  workspaceId: string,
  day: string,
): Promise<void> {
  await client.query(
    'UPDATE delivery_usage SET used = greatest(0, used - 1) WHERE workspace_id = $1 AND day = $2',
    [workspaceId, day],
  );
}

/** A condition on `delivery_runs r`: it waits for the day's allowance, of which some was given back. $n is today. */
export function mayGoOnTodaySql(today: string): string {
  return `(r.pause_reason = 'daily_limit' AND EXISTS (
    SELECT FROM delivery_usage u WHERE u.workspace_id = r.workspace_id AND u.day = ${today} AND u.used < u.full_at))`;
}
