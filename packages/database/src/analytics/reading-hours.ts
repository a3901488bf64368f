import { bindTo } from '../bind-value.ts';
import type { SqlQueries } from '../sql-queries.ts';
import { rollupSourceSql } from './rollup-source.ts';

type Asked = {
  workspaceId: string;
  zone: string;
  since: Date;
  before: Date;
};

/** Reads and replies of everybody by the hour of the day in a time zone, from midnight on: 24 counts. It reads sums, however many messages there are. */
export async function readReadingHours(
  client: SqlQueries,
  { workspaceId, zone, since, before }: Asked,
): Promise<number[]> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const period = { since: bind(since, 'timestamptz'), before: bind(before, 'timestamptz') };
  const source = rollupSourceSql({}, { workspaceId, ...period, grouping: 'hour', zone }, bind);
  const { rows } = await client.query<{ hour: number; events: number }>(
    `SELECT extract(hour FROM r.quarter AT TIME ZONE ${bind(zone, 'text')})::integer AS hour, greatest(0, sum(r.read + r.replied))::float8 AS events
       FROM ${source} r GROUP BY 1`,
    values,
  );
  const found = new Map(rows.map(({ hour, events }) => [hour, events]));
  return Array.from({ length: 24 }, (_, hour) => found.get(hour) ?? 0);
}
