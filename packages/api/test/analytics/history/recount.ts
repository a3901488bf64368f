import type pg from 'pg';

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

/** What a report is narrowed to, as a condition on `history_events e`; `numbers` are the beginnings of phone numbers of a country. */
export type RecountFilter = {
  campaignId?: string;
  templateId?: string;
  channelId?: string;
  channel?: string;
  tag?: string;
  numbers?: { of: string; except?: string };
  agentId?: string;
  teamId?: string;
};
export type Recounted = {
  workspaceId: string;
  zone: string;
  from: string;
  to: string;
  filter?: RecountFilter;
};

/**
 * Each thing that happened to a message as a row of `history_events`: plain SQL over the rows themselves, by the definitions of
 * docs/guides/figures.md. Nothing of it is shared with the product, neither a function nor a rollup.
 */
export async function makeEvents(pool: pg.Pool, workspaceId: string): Promise<void> {
  await pool.query('DROP TABLE IF EXISTS history_events');
  await pool.query(
    `CREATE TABLE history_events AS
     WITH ours AS (
       SELECT r.contact_id, r.address AS number, n.channel_id, n.campaign_id, n.template_id, 'campaign' AS author, NULL::text AS author_id, r.error_code,
              CASE WHEN r.state = 2 THEN r.accepted_at END AS sent, CASE WHEN r.state = 2 THEN least(r.delivered_at, r.read_at) END AS delivered,
              CASE WHEN r.state = 2 THEN r.read_at END AS read,
              CASE WHEN r.state = 3 OR r.delivered_at IS NULL AND r.read_at IS NULL THEN r.failed_at END AS failed,
              CASE WHEN r.state = 3 THEN r.failed_at END AS refused
         FROM delivery_recipients r JOIN delivery_runs n USING (run_no) WHERE r.workspace_id = '${workspaceId}' AND r.state IN (2, 3)
       UNION ALL
       SELECT m.contact_id, (SELECT c.phone FROM contacts c WHERE c.id = m.contact_id), m.channel_id, NULL, t.id, m.author, m.author_id, m.error_code, CASE WHEN m.state = 'accepted' THEN m.accepted_at END,
              CASE WHEN m.state = 'accepted' THEN least(m.delivered_at, m.read_at) END, CASE WHEN m.state = 'accepted' THEN m.read_at END,
              CASE WHEN m.state = 'refused' OR m.delivered_at IS NULL AND m.read_at IS NULL THEN m.failed_at END, CASE WHEN m.state = 'refused' THEN m.failed_at END
         FROM messages m LEFT JOIN templates t ON m.type = 'template' AND t.workspace_id = m.workspace_id AND t.platform_name = m.content->>'name'
              AND t.language = m.content->>'language'
        WHERE m.workspace_id = '${workspaceId}' AND m.direction = 'out' AND m.state IN ('accepted', 'refused') AND m.purpose IS DISTINCT FROM 'test'
     )
     SELECT o.contact_id, o.number, o.channel_id, o.campaign_id, o.template_id, o.author, o.author_id, o.error_code, e.metric, e.at FROM ours o
      CROSS JOIN LATERAL (VALUES ('sent', o.sent), ('delivered', o.delivered), ('read', o.read), ('failed', o.failed),
        ('refused', o.refused), ('replied', (SELECT min(i.occurred_at) FROM messages i WHERE i.contact_id = o.contact_id AND i.channel_id = o.channel_id AND i.direction = 'in'
           AND i.type <> 'reaction' AND i.occurred_at > o.delivered AND i.occurred_at <= o.delivered + interval '24 hours'))) AS e (metric, at)
      WHERE e.at IS NOT NULL
     UNION ALL
     SELECT m.contact_id, (SELECT c.phone FROM contacts c WHERE c.id = m.contact_id), m.channel_id, NULL, NULL, 'contact', NULL, NULL, 'received',
            m.occurred_at FROM messages m
      WHERE m.workspace_id = '${workspaceId}' AND m.direction = 'in' AND m.type <> 'reaction'`,
  );
  await pool.query('ANALYZE history_events');
}

const SUMS = COUNTS.map(
  (one) => `coalesce(sum(n) FILTER (WHERE metric = '${one}'), 0)::float8 AS ${one}`,
).join(', ');
const isThere = (row: Counts): boolean => COUNTS.some((one) => row[one] > 0);

/** The figures of the page that count messages, in the words of its answers; days, weeks and months without any are left out. */
export async function recount(pool: pg.Pool, { workspaceId, zone, from, to, filter = {} }: Recounted) {
  const client = await pool.connect();
  try {
    const values: unknown[] = [];
    const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
    const where = conditionsOf(filter, workspaceId, bind);
    await client.query('DROP TABLE IF EXISTS asked');
    await client.query(
      `CREATE TEMP TABLE asked AS SELECT date_trunc('day', e.at AT TIME ZONE '${zone}') AS day, extract(hour FROM e.at AT TIME ZONE '${zone}')::integer AS hour,
         e.campaign_id, e.template_id, e.error_code, e.metric, count(*) AS n FROM history_events e
        WHERE (e.at AT TIME ZONE '${zone}')::date BETWEEN '${from}' AND '${to}'${where} GROUP BY 1, 2, 3, 4, 5, 6`.replaceAll(
        /\$(\d+)::(\w+)/g,
        (_, n: string, type: string) => `'${String(values[Number(n) - 1])}'::${type}`,
      ),
    );
    const ask = async <Row extends object>(text: string): Promise<Row[]> =>
      (await client.query<Row>(text)).rows;
    const [sums] = await ask<Counts & { received: number; refused: number }>(
      `SELECT ${SUMS}, coalesce(sum(n) FILTER (WHERE metric = 'received'), 0)::float8 AS received,
         coalesce(sum(n) FILTER (WHERE metric = 'refused'), 0)::float8 AS refused FROM asked`,
    );
    const by = (text: string) =>
      ask<Counts & { key: string }>(`SELECT ${text} AS key, ${SUMS} FROM asked GROUP BY 1 ORDER BY 1`);
    const volume = (bucket: string) => by(`to_char(date_trunc('${bucket}', day), 'YYYY-MM-DD')`);
    const failures = await ask<{ key: string; n: number }>(
      `SELECT coalesce(error_code, '') AS key, sum(n)::float8 AS n FROM asked WHERE metric = 'failed' GROUP BY 1 ORDER BY 1`,
    );
    return {
      counts: sums!,
      days: (await volume('day')).filter(isThere),
      weeks: (await volume('week')).filter(isThere),
      months: (await volume('month')).filter(isThere),
      hours: (await by('hour::text')).filter(isThere),
      campaigns: (await by('campaign_id::text')).filter((row) => row.key !== null && isThere(row)),
      templates: (await by('template_id::text')).filter((row) => row.key !== null && isThere(row)),
      failures,
    };
  } finally {
    client.release();
  }
}

function conditionsOf(
  { campaignId, templateId, channelId, channel, tag, numbers, agentId, teamId }: RecountFilter,
  workspaceId: string,
  bind: (value: unknown, type: string) => string,
): string {
  const of = (condition: string) => ` AND ${condition}`;
  const contacts = (condition: string) =>
    of(
      `e.contact_id IN (SELECT c.id FROM contacts c WHERE c.workspace_id = '${workspaceId}' AND ${condition})`,
    );
  const written = of(`e.author = 'person' AND e.metric <> 'received'`);
  return [
    campaignId === undefined ? '' : of(`e.campaign_id = ${bind(campaignId, 'uuid')}`),
    templateId === undefined ? '' : of(`e.template_id = ${bind(templateId, 'uuid')}`),
    channelId === undefined ? '' : of(`e.channel_id = ${bind(channelId, 'uuid')}`),
    channel === undefined
      ? ''
      : of(`e.channel_id IN (SELECT id FROM channels WHERE kind = ${bind(channel, 'text')})`),
    tag === undefined ? '' : contacts(`${bind(tag, 'text')} = ANY (c.tags)`),
    numbers === undefined
      ? ''
      : of(
          `e.number LIKE '${numbers.of}%'${numbers.except === undefined ? '' : ` AND e.number NOT LIKE '${numbers.except}%'`}`,
        ),
    agentId === undefined ? '' : `${written}${of(`e.author_id = ${bind(agentId, 'text')}`)}`,
    teamId === undefined
      ? ''
      : `${written}${of(`e.author_id IN (SELECT user_id::text FROM team_members WHERE team_id = ${bind(teamId, 'uuid')})`)}`,
  ].join('');
}

type Get = <Answer>(path: string) => Promise<Answer>;
type Point = Counts & { day: string };
type Named = Counts & { id: string };

/** The same figures as the page gets them: `query` is what its address asks for. */
export async function readFigures(get: Get, query: string) {
  const keyed = (key: string, row: Counts) =>
    ({ key, ...Object.fromEntries(COUNTS.map((one) => [one, row[one]])) }) as Counts & { key: string };
  const volume = async (bucket: string) =>
    (await get<{ points: Point[] }>(`volume?${query}&bucket=${bucket}`)).points
      .filter(isThere)
      .map((row) => keyed(row.day, row));
  const named = async (what: string) =>
    (await get<{ items: Named[] }>(`${what}?${query}&limit=1000`)).items
      .map((row) => keyed(row.id, row))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const { counts } = await get<{ counts: Counts & { received: number; refused: number } }>(
    `summary?${query}`,
  );
  const { hours } = await get<{ hours: (Counts & { hour: number })[] }>(`best-time?${query}`);
  const failed = await get<{ items: { code: string | null; count: number }[] }>(`failures?${query}`);
  return {
    counts,
    days: await volume('day'),
    weeks: await volume('week'),
    months: await volume('month'),
    hours: hours
      .filter(isThere)
      .map((row) => keyed(String(row.hour), row))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    campaigns: await named('campaigns'),
    templates: await named('templates'),
    failures: failed.items
      .map(({ code, count }) => ({ key: code ?? '', n: count }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
  };
}

/** How far two lists of figures are from each other: the sum over all of their numbers. */
export function differenceOf(one: unknown, other: unknown): number {
  const flatten = (value: unknown, path: string, into: Map<string, number>): Map<string, number> => {
    if (typeof value === 'number') into.set(path, (into.get(path) ?? 0) + value);
    else if (Array.isArray(value))
      for (const row of value as { key?: string }[]) flatten(row, `${path}.${row.key ?? ''}`, into);
    else if (value && typeof value === 'object')
      for (const [key, part] of Object.entries(value)) flatten(part, `${path}.${key}`, into);
    return into;
  };
  const [a, b] = [flatten(one, '', new Map()), flatten(other, '', new Map())];
  let difference = 0;
  for (const path of new Set([...a.keys(), ...b.keys()]))
    difference += Math.abs((a.get(path) ?? 0) - (b.get(path) ?? 0));
  return difference;
}
