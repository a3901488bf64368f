import type { SqlQueries } from '../sql-queries.ts';

/**
 * For rows that come back and were counted when they came first: of a contact that is restored or parted from another, or out of an archive that
 * brings its own rollups. Inside the transaction of `client`; what it inserts in `work` is not counted again.
 */
export async function withoutRollups<Result>(
  client: SqlQueries,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(`SELECT set_config('app.rollups', 'off', true)`);
  const result = await work();
  await client.query(`SELECT set_config('app.rollups', '', true)`);
  return result;
}
