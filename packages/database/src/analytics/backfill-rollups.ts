import { advisoryLocks } from '../advisory-locks.ts';
import type { SqlQueries } from '../sql-queries.ts';

/** A slice is one transaction: whoever changes one of its rows waits for so many. */
const ROWS_AT_ONCE = 5_000;

const STEPS = ['backfill_runs', 'backfill_messages', 'backfill_charges'] as const;

/** How far the counting of what was stored before there were rollups is; `finishedAt` is null while it is under way. */
export type RollupBackfill = {
  source: 'runs' | 'messages' | 'charges';
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

export async function readRollupBackfill(client: SqlQueries): Promise<RollupBackfill[]> {
  const { rows } = await client.query<RollupBackfill>(
    `SELECT source, rows_done::integer AS "rowsDone", finished_at AS "finishedAt" FROM rollup_backfill ORDER BY source`,
  );
  return rows;
}
