import { advisoryLocks } from '../advisory-locks.ts';
import type { SqlQueries } from '../sql-queries.ts';

/** A slice is one transaction: whoever changes one of its rows waits for so many. */
const ROWS_AT_ONCE = 5_000;

/** In this order: what is not in the rollups yet is not counted by country. */
const STEPS = [
  'backfill_runs',
  'backfill_messages',
  'backfill_charges',
  'backfill_run_countries',
  'backfill_message_countries',
] as const;

/** How far the counting of what was stored before there were rollups is; `finishedAt` is null while it is under way. */
export type RollupBackfill = {
  source: 'runs' | 'messages' | 'charges' | 'run_countries' | 'message_countries';
  rowsDone: number;
  finishedAt: Date | null;
};

/**
 * Counts what was stored before there were rollups, slice by slice, newest first (system scope). It may be stopped and begun anew at any
 * time, and beside all other work: each message is counted once, by a slice or when something happens to it.
 */
export async function backfillRollups(
  client: SqlQueries,
  { signal, rowsAtOnce = ROWS_AT_ONCE }: { signal?: AbortSignal; rowsAtOnce?: number } = {},
): Promise<void> {
  for (const step of STEPS) {
    let hasMore = true;
    while (hasMore) {
      if (signal?.aborted) return;
      const { rows } = await client.query<{ more: boolean }>(`SELECT ${step}($1, $2) AS more`, [
        advisoryLocks.rollups,
        rowsAtOnce,
      ]);
      hasMore = rows[0]?.more ?? false;
    }
  }
}

/**
 * Counts messages of a workspace by country that came in without one: from an archive of before there were countries, or of while they were being counted. In
 * the transaction of `client`.
 */
export async function countMissingCountries(client: SqlQueries, workspaceId: string): Promise<void> {
  await client.query(
    `SELECT count_message_countries(array_agg(id ORDER BY id)) FROM (
       SELECT id, (row_number() OVER () - 1) / $2::bigint AS slice FROM messages WHERE workspace_id = $1 AND country IS NULL AND contact_id IS NOT NULL) AS s
      GROUP BY slice`,
    [workspaceId, ROWS_AT_ONCE],
  );
}

/** Counts what the platform refused, of an archive of before there was this count. In the transaction of `client`. */
export async function countMissingRefused(client: SqlQueries, workspaceId: string): Promise<void> {
  await client.query('SELECT count_refused($1)', [workspaceId]);
}

export async function readRollupBackfill(client: SqlQueries): Promise<RollupBackfill[]> {
  const { rows } = await client.query<RollupBackfill>(
    `SELECT source, rows_done::integer AS "rowsDone", finished_at AS "finishedAt" FROM rollup_backfill ORDER BY source`,
  );
  return rows;
}
