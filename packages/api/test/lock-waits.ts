import type { SqlQueries } from '@app/database/sql-queries';

/** How many wait for a lock in the database that is asked, or there for one table; other files have theirs on the same server. */
export async function countLockWaits(client: SqlQueries, table: string | null = null): Promise<number> {
  // Within a transaction the list of connections would stay as it was first seen.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE NOT l.granted AND a.datname = current_database() AND ($1::text IS NULL OR l.relation = $1::regclass)`,
    [table],
  );
  return rows[0]?.n ?? 0;
}
