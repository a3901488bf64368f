import type pg from 'pg';
import { advisoryLocks } from '@app/database/advisory-locks';
import { inTransaction } from './transaction.ts';
import type { SqlClient } from './sql-client.ts';

/** Runs of this number and above have partitions of their own. */
const FIRST_LARGE_RUN = 1_000_000_000_000;
/** Dropping locks the whole table for a moment; behind whoever reads it longer, it is left for the next time: senders would wait behind it. */
const LOCK_MS = 200;

type Left = { run_no: string; names: string[] };

/** Large runs that are gone, such as those whose start was taken back, leave their partitions empty: they go. Answers with how many went. */
export async function dropEmptyPartitions(pool: pg.Pool): Promise<number> {
  let dropped = 0;
  for (const left of await findLeftPartitions(pool))
    dropped += await inTransaction(pool, (client) => dropThose(client, left)).catch((error: unknown) => {
      if (isLockTimeout(error)) return 0;
      throw error;
    });
  return dropped;
}

/** All of a run or none: who makes them looks for the first alone. An archive that is read in makes them before there is a run. */
async function dropThose(client: SqlClient, { run_no: runNo, names }: Left): Promise<number> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
  const { rows } = await client.query<{ is_free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${advisoryLocks.emptyPartitions}) AS is_free`,
  );
  if (!rows[0]?.is_free) return 0;
  const isEmpty = names.map((name) => `NOT EXISTS (SELECT FROM ${name})`).join(' AND ');
  const { rowCount } = await client.query(
    `SELECT WHERE NOT EXISTS (SELECT FROM delivery_runs WHERE run_no = $1) AND ${isEmpty}`,
    [runNo],
  );
  if (rowCount === 0) return 0;
  await client.query(`DROP TABLE ${names.join(', ')}`);
  return names.length;
}

/** The names are ours: they match the pattern. A run that starts and its partition are made in one transaction. */
async function findLeftPartitions(pool: pg.Pool): Promise<Left[]> {
  const { rows } = await pool.query<Left>(
    `SELECT of.run_no, array_agg(c.relname::text ORDER BY c.relname) AS names
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       CROSS JOIN LATERAL (SELECT substring(c.relname FROM '^delivery_(?:recipients|events)_([0-9]{13,18})(?:_rest)?$')::bigint AS run_no) AS of
      WHERE i.inhparent IN ('delivery_recipients'::regclass, 'delivery_events'::regclass) AND of.run_no >= ${FIRST_LARGE_RUN}
        AND NOT EXISTS (SELECT FROM delivery_runs r WHERE r.run_no = of.run_no) GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

function isLockTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '55P03';
}
