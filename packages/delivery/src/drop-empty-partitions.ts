import type pg from 'pg';
import { inTransaction } from './transaction.ts';

/** Runs of this number and above have partitions of their own. */
const FIRST_LARGE_RUN = 1_000_000_000_000;
/** Dropping locks the whole table for a moment; behind whoever reads it longer, it is left for the next time: senders would wait behind it. */
const LOCK_MS = 200;

/** Large runs that are gone, such as those whose start was taken back, leave their partitions empty: they go. Answers with how many went. */
export async function dropEmptyPartitions(pool: pg.Pool): Promise<number> {
  let dropped = 0;
  for (const name of await findLeftPartitions(pool)) {
    const isGone = await inTransaction(pool, async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      const { rows } = await client.query(`SELECT 1 FROM ${name} LIMIT 1`);
      if (rows.length > 0) return false;
      await client.query(`DROP TABLE ${name}`);
      return true;
    }).catch((error: unknown) => {
      if (isLockTimeout(error)) return false;
      throw error;
    });
    if (isGone) dropped += 1;
  }
  return dropped;
}

/** The names are ours: they match the pattern. A run and its partition are made in one transaction, so none is being made. */
async function findLeftPartitions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       CROSS JOIN LATERAL (SELECT substring(c.relname FROM '^delivery_(?:recipients|events)_([0-9]{13,18})(?:_rest)?$')::bigint AS run_no) AS of
      WHERE i.inhparent IN ('delivery_recipients'::regclass, 'delivery_events'::regclass) AND of.run_no >= ${FIRST_LARGE_RUN}
        AND NOT EXISTS (SELECT FROM delivery_runs r WHERE r.run_no = of.run_no) ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

function isLockTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '55P03';
}
