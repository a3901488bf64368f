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

type Asked = {
  /** When the period begins and ends, and the workspace, as expressions. */
  workspace: string;
  since: string;
  before: string;
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
 * Events of a period as a query, with `kind`, `id`, `label`, `events`, `contacts` and `value`: `contacts` adds up to how many contacts they are of, because of each
 * contact only the last event of the period counts. It reads sums of 30 days; what is before the first and behind the last of them, and what goes on
 * behind the last, is read by events.
 */
export function outcomesSql(asked: Asked, bind: BindValue): string {
  const { since, before, kinds, channelId, channel, id, windowDays, templateId } = asked;
  const first = `next_thirty_days_of(${since})`;
  const last = `greatest(${first}, thirty_days_of(${before}))`;
  const window = windowDays === undefined ? undefined : bind(windowDays, 'integer');
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
    const events = (figures: string, from: string, to: string, more = '') =>
      `SELECT e.kind, e.id, e.label, ${figures} FROM outcome_events e WHERE ${of('e')} AND e.at >= ${from} AND e.at < ${to}${more}`;
    const all = `1, CASE WHEN e.next_at >= ${before} THEN 1 ELSE 0 END, e.value`;
    return [
      `SELECT s.kind, s.id, s.label, s.events, CASE WHEN s.next_month >= ${last} THEN s.events - s.unknown ELSE 0 END AS contacts, s.value
         FROM outcome_sums s WHERE ${of('s')} AND s.month >= ${first} AND s.month < ${last}`,
      // Their next one is in the period after all.
      events(
        '0, -1, 0',
        first,
        last,
        ` AND e.next_at > e.at AND e.next_at >= ${last} AND e.next_at < ${before}`,
      ),
      events(all, since, `least(${first}, ${before})`),
      events(all, last, before),
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
