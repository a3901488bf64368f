import type { DailyLimits } from '@app/domain/channels/channel-limits';
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

export const isLimited = ({ perDay, ofKind }: DailyLimits): boolean =>
  perDay !== null || (ofKind?.perDay ?? null) !== null;

/** A day's allowance without a limit. */
const ANY_NUMBER = 2_147_483_647;
const usedOfKind = (kinds: string, kind: string) =>
  `coalesce((${kinds} #>> ARRAY[${kind}, 'used'])::integer, 0)`;

/**
 * What a workspace may still send today, over all its channels and processes, and through its channels of this kind. Call it inside a transaction, before any lock on a run:
 * until that ends nobody else of the workspace takes any, so that what is handed out and what is counted cannot differ.
 * Whoever finds nothing left is noted: see `full_at` in the table.
 */
export async function lockDailyAllowance(
  client: SqlClient,
  workspaceId: string,
  { perDay, ofKind }: DailyLimits,
  now: number,
): Promise<DailyAllowance> {
  const { day, nextDayAt } = utcDayOf(now);
  const most = perDay ?? ANY_NUMBER;
  const mostOfKind = ofKind?.perDay ?? ANY_NUMBER;
  const { rows } = await client.query<{ used: number; of_kind: number }>(
    ofKind ? LOCK_WITH_KIND : LOCK,
    ofKind ? [workspaceId, day, most, ofKind.name, mostOfKind] : [workspaceId, day, most],
  );
  const { used = 0, of_kind: usedByKind = 0 } = rows[0] ?? {};
  return { left: Math.max(0, Math.min(most - used, mostOfKind - usedByKind)), day, nextDayAt };
}

const LOCK = `INSERT INTO delivery_usage AS u (workspace_id, day) VALUES ($1, $2)
  ON CONFLICT (workspace_id, day) DO UPDATE SET full_at = CASE WHEN u.used >= $3 THEN u.used ELSE u.full_at END
  RETURNING used, 0 AS of_kind`;
const isFull = `(u.used >= $3 OR ${usedOfKind('u.kinds', '$4::text')} >= $5)`;
/** Who is turned away waits for either: both are noted. */
const LOCK_WITH_KIND = `INSERT INTO delivery_usage AS u (workspace_id, day) VALUES ($1, $2)
  ON CONFLICT (workspace_id, day) DO UPDATE SET full_at = CASE WHEN ${isFull} THEN u.used ELSE u.full_at END,
    kinds = CASE WHEN ${isFull} THEN u.kinds || jsonb_build_object($4::text, jsonb_build_object(
      'used', ${usedOfKind('u.kinds', '$4::text')}, 'fullAt', ${usedOfKind('u.kinds', '$4::text')})) ELSE u.kinds END
  RETURNING used, ${usedOfKind('kinds', '$4::text')} AS of_kind`;

/** Counts messages that are handed out; in the transaction of `lockDailyAllowance`. */
export async function useDailyAllowance(
  client: SqlClient,
  workspaceId: string,
  day: string,
  { count, ofKind }: { count: number } & Pick<DailyLimits, 'ofKind'>,
): Promise<void> {
  if (count === 0) return;
  await client.query(
    `UPDATE delivery_usage SET used = used + $3, kinds = count_of_kind(kinds, $4, $3) WHERE workspace_id = $1 AND day = $2`,
    [workspaceId, day, count, ofKind?.name ?? null],
  );
}

/** For a message that did not leave after all. */
export async function giveBackDailyAllowance(
  client: SqlClient,
  { workspaceId, channelId }: { workspaceId: string; channelId: string },
  day: string,
): Promise<void> {
  await client.query(
    `UPDATE delivery_usage SET used = greatest(0, used - 1),
       kinds = count_of_kind(kinds, (SELECT c.kind FROM channels c WHERE c.id = $3), -1) WHERE workspace_id = $1 AND day = $2`,
    [workspaceId, day, channelId],
  );
}

/** A condition on `delivery_runs r`: it waits for the day's allowance, of which some was given back. $n is today. */
export function mayGoOnTodaySql(today: string): string {
  return `(r.pause_reason = 'daily_limit' AND EXISTS (
    SELECT FROM delivery_usage u JOIN channels c ON c.id = r.channel_id WHERE u.workspace_id = r.workspace_id AND u.day = ${today}
      AND (u.used < u.full_at OR ${usedOfKind('u.kinds', 'c.kind')} < (u.kinds #>> ARRAY[c.kind, 'fullAt'])::integer)))`;
}
