import type { VolumeBucket } from '@app/domain/analytics/report-period';
import type { BindValue } from '../bind-value.ts';
import { endsSql, midnightNextTo, startsSql } from './rollup-source.ts';

type Asked = {
  workspaceId: string;
  /** When the period begins and ends, as expressions. */
  since: string;
  before: string;
  zone: string;
  /** The first days of the buckets. */
  days: readonly string[];
  bucket: VolumeBucket;
};

/**
 * The rollups of contacts by days, weeks or months, as a query: `place` of the bucket from 1 on, `kind`, `source` and `contacts`. Weeks and months are the
 * days of UTC between the midnights of UTC that are next to their ends, as in `bucketSourceSql`.
 */
export function contactsByBucketSql(asked: Asked, bind: BindValue): string {
  const { since, before } = asked;
  const ofWorkspace = (alias: string) => `${alias}.workspace_id = ${bind(asked.workspaceId, 'uuid')}`;
  const quarters = (table: string, from: string, to: string) =>
    `SELECT r.quarter AS at, r.kind, r.source, r.contacts FROM ${table} r WHERE ${ofWorkspace('r')} AND r.quarter >= ${from} AND r.quarter < ${to}`;
  const placed = (text: string, thresholds = 'SELECT t.at FROM starts AS t ORDER BY t.at') =>
    `SELECT width_bucket(q.at, ARRAY(${thresholds})) AS place, q.kind, q.source, q.contacts FROM (${text}) AS q`;
  const wholeDays = () =>
    `SELECT s.at, s.kind, s.source, s.contacts FROM contact_rollup_sums s
      WHERE ${ofWorkspace('s')} AND s.at >= ${midnightNextTo(since)} AND s.at < ${midnightNextTo(before)}`;
  const places = bind(asked.days.length, 'integer');
  const betweenEnds = () =>
    `SELECT x.place + side.place, x.kind, x.source, x.sign * side.sign * x.contacts FROM (
        SELECT e.place, e.sign, x.* FROM ends e CROSS JOIN LATERAL (
          SELECT b.kind, b.source, sum(b.contacts) AS contacts
            FROM (${quarters('contact_rollups', 'least(e.at, e.midnight)', 'greatest(e.at, e.midnight)')}) AS b GROUP BY 1, 2 OFFSET 0) AS x
         WHERE e.at <> e.midnight OFFSET 0) AS x
      CROSS JOIN (VALUES (0, 1), (-1, -1)) AS side (place, sign) WHERE x.place + side.place BETWEEN 1 AND ${places}`;
  const counted =
    asked.bucket === 'day'
      ? [placed(quarters('contact_rollups', since, before))]
      : [placed(wholeDays(), 'SELECT e.midnight FROM ends e ORDER BY e.place'), betweenEnds()];
  return `WITH ${startsSql(asked, bind)}, ${endsSql({ since, before, places })}
    SELECT r.place, r.kind, r.source, sum(r.contacts)::integer AS contacts
      FROM (${[...counted, placed(quarters('contact_rollup_deltas', since, before))].join(' UNION ALL ')}) AS r GROUP BY 1, 2, 3`;
}
