import type pg from 'pg';

type Filter = { channelId?: string; channel?: string; templateId?: string };
type Asked = Filter & { workspaceId: string; zone: string; from: string; to: string; windowDays: number };
type Row = { key: string } & Record<string, number | string>;
type Get = <Answer>(path: string) => Promise<Answer>;

const byKey = (rows: readonly Row[]): Row[] => rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));

/**
 * Opt-outs after campaigns and conversions: plain SQL over the rows, by the definitions of docs/guides/figures.md. Nothing of it is shared with the product.
 * `windowDays` is that of opt-outs.
 */
export async function recountOutcomes(pool: pg.Pool, asked: Asked) {
  const { workspaceId, zone, from, to, windowDays, channelId, channel, templateId } = asked;
  const ask = async (text: string): Promise<Row[]> => (await pool.query<Row>(text)).rows;
  const within = (at: string) => `(${at} AT TIME ZONE '${zone}')::date BETWEEN '${from}' AND '${to}'`;
  // Where the last message came from decides, after it was found.
  const narrowed = (alias: string) =>
    [
      channelId ? ` AND ${alias}.channel_id = '${channelId}'` : '',
      channel ? ` AND ${alias}.channel_id IN (SELECT id FROM channels WHERE kind = '${channel}')` : '',
      templateId ? ` AND ${alias}.template_id = '${templateId}'` : '',
    ].join('');
  const optOuts = `SELECT DISTINCT ON (k.contact_id) k.contact_id, n.campaign_id, n.channel_id, n.template_id FROM contact_consents k
      JOIN delivery_recipients r ON r.contact_id = k.contact_id AND r.state = 2 JOIN delivery_runs n ON n.run_no = r.run_no
      CROSS JOIN LATERAL (SELECT coalesce(least(r.delivered_at, r.read_at), r.accepted_at) AS at) AS t
     WHERE k.workspace_id = '${workspaceId}' AND k.kind = 'opt_out' AND ${within('k.occurred_at')}
       AND t.at <= k.occurred_at AND t.at >= k.occurred_at - interval '${windowDays * 24} hours'
     ORDER BY k.contact_id, t.at DESC, n.run_no DESC`;
  const conversions = `SELECT v.campaign_id, coalesce(v.contact_id, v.id) AS who, CASE WHEN v.currency = 'USD' THEN v.value END AS value FROM conversions v
     WHERE v.workspace_id = '${workspaceId}' AND v.campaign_id IS NOT NULL AND ${within('v.occurred_at')} AND v.cancelled_at IS NULL
       AND v.occurred_at - v.clicked_at < coalesce((SELECT make_interval(days => s.window_days) FROM conversion_settings s WHERE s.workspace_id = v.workspace_id), interval '7 days')${narrowed('v')}`;
  const figures = 'count(DISTINCT c.who)::float8 AS converted, coalesce(sum(c.value), 0)::float8 AS revenue';
  return {
    optOuts: byKey(
      await ask(
        `SELECT o.campaign_id::text AS key, count(*)::float8 AS contacts FROM (${optOuts}) AS o WHERE true${narrowed('o')} GROUP BY 1`,
      ),
    ),
    converted: await ask(`SELECT 'all' AS key, ${figures} FROM (${conversions}) AS c`),
    campaigns: byKey(
      await ask(`SELECT c.campaign_id::text AS key, ${figures} FROM (${conversions}) AS c GROUP BY 1`),
    ),
  };
}

type Results = {
  funnel: { converted: number | null };
  revenue: number | null;
  optOuts: number;
  items: { id: string; optOuts: number; converted: number | null; revenue: number | null }[];
};

/** The same figures as the page gets them. */
export async function readOutcomes(
  get: Get,
  { zone, from, to, windowDays, ...filter }: Omit<Asked, 'workspaceId'>,
) {
  const { funnel, revenue, optOuts, items } = await get<Results>(
    `results?from=${from}&to=${to}&zone=${zone}&windowDays=${windowDays}&${new URLSearchParams(filter)}`,
  );
  const left = byKey(
    items.flatMap((one) => (one.optOuts === 0 ? [] : [{ key: one.id, contacts: one.optOuts }])),
  );
  if (left.reduce((sum, { contacts }) => sum + Number(contacts), 0) !== optOuts)
    throw new Error(`${optOuts} opt-outs are not those of the campaigns`);
  return {
    optOuts: left,
    converted: [{ key: 'all', converted: funnel.converted ?? 0, revenue: revenue ?? 0 }],
    campaigns: byKey(
      items.flatMap(({ id, converted, revenue: earned }) =>
        converted ? [{ key: id, converted, revenue: earned ?? 0 }] : [],
      ),
    ),
  };
}
