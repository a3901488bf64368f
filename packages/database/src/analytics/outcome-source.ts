import type { BindValue } from '../bind-value.ts';
import type { SqlQueries } from '../sql-queries.ts';

/** What contacts are counted by, once in a period; see `outcome_events`. */
export type OutcomeKind =
  | 'bot'
  | 'handoff'
  | 'run'
  | 'channel_run'
  | 'conversion'
  | 'campaign_conversion'
  | 'opt_out';

/** When a period begins and ends, and the stretches of 30 days that begin and end next to its ends. */
export type OutcomePeriod = { since: Date; before: Date; first: Date; last: Date };

type Asked = {
  /** As an expression. */
  workspace: string;
  period: OutcomePeriod;
  kinds: readonly OutcomeKind[];
  channelId?: string | undefined;
  /** A kind of channel. */
  channel?: string | undefined;
  /** The campaign or the workflow. */
  id?: string | undefined;
  /** Of opt-outs. */
  windowDays?: number | undefined;
  templateId?: string | undefined;
};

/**
 * The instants of a period, which begins and ends with these expressions, as one row: an `OutcomePeriod`. Where no stretch is next to it, all of it lies before
 * its end. They are values, because as expressions they take longer to plan, in each part of the query, than the query to read.
 */
export function outcomePeriodSql({ since, before }: { since: string; before: string }): string {
  const nextTo = (at: string) => `thirty_days_of(${at} + interval '360 hours')`;
  return `SELECT p.since, p.before, CASE WHEN n.first < n.last THEN n.first ELSE p.before END AS first, CASE WHEN n.first < n.last THEN n.last ELSE p.before END AS last
    FROM (SELECT ${since} AS since, ${before} AS before) AS p CROSS JOIN LATERAL (SELECT ${nextTo('p.since')} AS first, ${nextTo('p.before')} AS last) AS n`;
}

/**
 * Events of a period as a query, with `kind`, `id`, `label`, `events`, `contacts` and `value`: `contacts` adds up to how many contacts they are of, because of each
 * contact only the last event of the period counts. It reads sums of the stretches of 30 days next to the period. What lies between an end of it and that of a
 * stretch, 15 days at most, is read by events, and added or taken away. So is what goes on behind the last stretch.
 */
export function outcomesSql(asked: Asked, bind: BindValue): string {
  const { period, kinds, channelId, channel, id, windowDays, templateId } = asked;
  const { since, before, first, last } = period;
  const window = windowDays === undefined ? undefined : bind(windowDays, 'integer');
  const at = (instant: Date) => bind(instant, 'timestamptz');
  // Each kind by itself, so that an index gives its stretch of time.
  const parts = kinds.flatMap((kind) => {
    const of = (alias: string) =>
      [
        `${alias}.workspace_id = ${asked.workspace} AND ${alias}.kind = '${kind}'`,
        ...(channelId === undefined ? [] : [`${alias}.channel_id = ${bind(channelId, 'uuid')}`]),
        ...(channel === undefined
          ? []
          : [
              `${alias}.channel_id = ANY (ARRAY(SELECT c.id FROM channels c WHERE c.workspace_id = ${asked.workspace} AND c.kind = ${bind(channel, 'text')}))`,
            ]),
        // The template of the message before an opt-out.
        ...(templateId === undefined ? [] : [`${alias}.label = ${bind(templateId, 'text')}`]),
        ...(id === undefined ? [] : [`${alias}.id = ${bind(id, 'uuid')}`]),
        ...(window === undefined
          ? []
          : [`${alias}.from_days <= ${window} AND ${alias}.to_days >= ${window}`]),
      ].join(' AND ');
    type Figures = (sign: 1 | -1) => string;
    // Between two instants, added where the first comes before the second, else taken away. Nothing is bound where they are the same.
    const events = (figures: Figures, column: 'at' | 'next_at', from: Date, to: Date, more = () => '') => {
      if (from.getTime() === to.getTime()) return [];
      const [start, end, sign] = from < to ? ([from, to, 1] as const) : ([to, from, -1] as const);
      return [
        `SELECT e.kind, e.id, e.label, ${figures(sign)} FROM outcome_events e WHERE ${of('e')} AND e.${column} >= ${at(start)} AND e.${column} < ${at(end)}${more()}`,
      ];
    };
    const all: Figures = (sign) =>
      `${sign}, CASE WHEN e.next_at > e.at AND e.next_at >= ${at(before)} THEN ${sign} ELSE 0 END, ${sign} * e.value`;
    const contactsLess: Figures = (sign) => `0, ${-sign}, 0`;
    const goingOn = () => ` AND e.next_at > e.at AND e.at >= ${at(first)} AND e.at < ${at(last)}`;
    return [
      `SELECT s.kind, s.id, s.label, s.events, CASE WHEN s.next_month >= ${at(last)} THEN s.events - s.unknown ELSE 0 END AS contacts, s.value
         FROM outcome_sums s WHERE ${of('s')} AND s.month >= ${at(first)} AND s.month < ${at(last)}`,
      // The next one is in the period after all, or is not.
      ...events(contactsLess, 'next_at', last, before, goingOn),
      ...events(all, 'at', since, first),
      ...events(all, 'at', last, before),
    ];
  });
  return parts.join(' UNION ALL ');
}

/** Has the outcomes of these contacts counted anew, from their first one on. */
export async function recountContacts(
  client: SqlQueries,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<void> {
  await client.query(
    `INSERT INTO outcome_checks SELECT $1, s.source, c.id, '-infinity' FROM unnest($2::uuid[]) AS c (id)
       CROSS JOIN (VALUES ('bot'), ('run'), ('conversion'), ('opt_out')) AS s (source)`,
    [workspaceId, contactIds],
  );
}
