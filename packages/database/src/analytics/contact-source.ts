import type { VolumeBucket } from '@app/domain/analytics/report-period';
import type { BindValue } from '../bind-value.ts';
import { bucketsSql, startsSql } from './rollup-source.ts';

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
 * The rollups of contacts by days, weeks or months, as a query: `place` of the bucket from 1 on, `kind`, `source` and `contacts`. Of weeks and months, whole
 * days of UTC are read as they are added up in `contact_rollup_sums`.
 */
export function contactsByBucketSql(asked: Asked, bind: BindValue): string {
  const ofWorkspace = (alias: string) => `${alias}.workspace_id = ${bind(asked.workspaceId, 'uuid')}`;
  const quarters = (table: string, from: string, to: string) =>
    `SELECT r.quarter, r.kind, r.source, r.contacts FROM ${table} r WHERE ${ofWorkspace('r')} AND r.quarter >= ${from} AND r.quarter < ${to}`;
  const placed = (text: string) =>
    `SELECT width_bucket(q.quarter, ARRAY(SELECT t.at FROM starts AS t ORDER BY t.at)) AS place, q.kind, q.source, q.contacts FROM (${text}) AS q`;
  const { since, before } = asked;
  const days = () =>
    `SELECT s.kind, s.source, s.contacts FROM contact_rollup_sums s WHERE ${ofWorkspace('s')} AND s.at >= p.first AND s.at < p.last`;
  const each = (text: string) =>
    `SELECT p.place, x.kind, x.source, x.contacts FROM buckets p CROSS JOIN LATERAL (${text} OFFSET 0) AS x`;
  const counted =
    asked.bucket === 'day'
      ? [placed(quarters('contact_rollups', since, before))]
      : [
          each(days()),
          each(quarters('contact_rollups', 'p.since', 'p.edge')),
          each(quarters('contact_rollups', 'p.last', 'p.before')),
        ];
  return `WITH ${startsSql(asked, bind)}, ${bucketsSql(asked)}
    SELECT r.place, r.kind, r.source, sum(r.contacts)::integer AS contacts
      FROM (${[...counted, placed(quarters('contact_rollup_deltas', since, before))].join(' UNION ALL ')}) AS r GROUP BY 1, 2, 3`;
}
