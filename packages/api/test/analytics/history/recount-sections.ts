import type pg from 'pg';

type Asked = {
  workspaceId: string;
  zone: string;
  from: string;
  to: string;
  channelId?: string;
  agentId?: string;
  teamId?: string;
};
type Row = { key: string } & Record<string, number | string>;
type Get = <Answer>(path: string) => Promise<Answer>;

const byKey = (rows: readonly Row[]): Row[] => rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));

/**
 * The figures of the inbox, of contacts and of what runs by itself: plain SQL over the rows, by the definitions of docs/guides/figures.md. Nothing of it is
 * shared with the product.
 */
export async function recountSections(pool: pg.Pool, asked: Asked) {
  const { workspaceId, zone, from, to, channelId, agentId, teamId } = asked;
  const ask = async (text: string): Promise<Row[]> => (await pool.query<Row>(text)).rows;
  const within = (at: string) => `(${at} AT TIME ZONE '${zone}')::date BETWEEN '${from}' AND '${to}'`;
  const is = (column: string, id: string | undefined) => (id === undefined ? '' : ` AND ${column} = '${id}'`);
  const hour = (at: string) => `extract(hour FROM ${at} AT TIME ZONE '${zone}')::integer`;
  const day = (at: string) => `to_char(${at} AT TIME ZONE '${zone}', 'YYYY-MM-DD')`;
  const of = (at: string, by: string) =>
    `FROM conversation_rounds r WHERE r.workspace_id = '${workspaceId}' AND ${within(`r.${at}`)}${is('r.channel_id', channelId)}${is(
      `r.${by}`,
      agentId,
    )}${is('r.team_id', teamId)}`;
  const ms = (at: string) => `round(extract(epoch FROM r.${at} - r.opened_at) * 1000)::bigint`;
  const events = `SELECT r.first_answer_by AS agent, r.team_id AS team, ${hour('r.first_answered_at')} AS hour, 1 AS responses, ${ms('first_answered_at')} AS response,
        (r.is_answered_in_time IS FALSE)::integer AS late, 0 AS resolutions, 0 AS resolution, 0 AS asked, 0 AS rating ${of('first_answered_at', 'first_answer_by')}
    UNION ALL SELECT r.resolved_by, r.team_id, ${hour('r.resolved_at')}, 0, 0, 0, 1, ${ms('resolved_at')}, 0, 0 ${of('resolved_at', 'resolved_by')}
    UNION ALL SELECT r.resolved_by, r.team_id, NULL, 0, 0, 0, 0, 0, 1, coalesce(r.rating, 0) ${of('asked_at', 'resolved_by')}`;
  const rounds = `coalesce(sum(e.responses), 0)::float8 AS responses, coalesce(round(sum(e.response) / nullif(sum(e.responses), 0)), 0)::float8 AS "responseMs",
    coalesce(sum(e.late), 0)::float8 AS late, coalesce(sum(e.resolutions), 0)::float8 AS resolutions,
    coalesce(round(sum(e.resolution) / nullif(sum(e.resolutions), 0)), 0)::float8 AS "resolutionMs"`;
  const ratings = `coalesce(sum(e.asked), 0)::float8 AS asked, count(*) FILTER (WHERE e.rating = 3)::float8 AS good,
    count(*) FILTER (WHERE e.rating = 2)::float8 AS okay, count(*) FILTER (WHERE e.rating = 1)::float8 AS bad`;
  const by = (column: string, figures: string, some: string) =>
    ask(
      `SELECT e.${column}::text AS key, ${figures} FROM (${events}) AS e WHERE e.${column} IS NOT NULL GROUP BY 1 HAVING ${some} > 0`,
    );
  const contacts = (kind: string, at: string, table: string, more: string, source: string) =>
    `SELECT '${kind}' AS kind, ${day(at)} AS day, ${source} AS source FROM ${table} WHERE workspace_id = '${workspaceId}' AND ${within(at)}${more}`;
  const audience = [
    contacts(
      'new',
      'created_at',
      'contacts',
      '',
      `CASE WHEN import_id IS NULL THEN 'form' ELSE 'import' END`,
    ),
    ...['opt_in', 'opt_out'].map((kind) =>
      contacts(
        kind,
        'occurred_at',
        'contact_consents',
        ` AND kind = '${kind}'`,
        `CASE WHEN import_id IS NOT NULL THEN 'import' WHEN source = 'form' THEN 'hosted_form' WHEN source <> 'person' THEN source
           WHEN text <> '' THEN 'keyword' ELSE 'platform' END`,
      ),
    ),
  ].join(' UNION ALL ');
  const firstOf = (bucket: string) => `to_char(date_trunc('${bucket}', a.day::timestamp), 'YYYY-MM-DD')`;
  const over = async (key: string) =>
    byKey(
      await ask(
        `SELECT ${key} AS key, count(*) FILTER (WHERE a.kind = 'new')::float8 AS added, count(*) FILTER (WHERE a.kind = 'opt_in')::float8 AS "optIns",
           count(*) FILTER (WHERE a.kind = 'opt_out')::float8 AS "optOuts" FROM (${audience}) AS a GROUP BY 1`,
      ),
    );
  const talks = `SELECT b.contact_id, max(b.handoff) AS handoff FROM bot_answers b WHERE b.workspace_id = '${workspaceId}' AND ${within('b.decided_at')}${is(
    'b.channel_id',
    channelId,
  )} GROUP BY b.contact_id, b.channel_id`;
  const status = (one: string) => `count(*) FILTER (WHERE r.status = '${one}')::float8 AS ${one}`;
  return {
    inbox: await ask(`SELECT 'all' AS key, ${rounds} FROM (${events}) AS e`),
    agents: byKey(await by('agent', rounds, 'sum(e.responses) + sum(e.resolutions)')),
    teams: byKey(await by('team', rounds, 'sum(e.responses) + sum(e.resolutions)')),
    hours: byKey(await by('hour', rounds, 'sum(e.responses) + sum(e.resolutions)')),
    ratings: await ask(`SELECT 'all' AS key, ${ratings} FROM (${events}) AS e`),
    ratedAgents: byKey(await by('agent', ratings, 'sum(e.asked)')),
    ratedTeams: byKey(await by('team', ratings, 'sum(e.asked)')),
    audience: await over('a.day'),
    audienceByWeek: await over(firstOf('week')),
    audienceByMonth: await over(firstOf('month')),
    sources: byKey(
      await ask(
        `SELECT a.kind || ' ' || a.source AS key, count(*)::float8 AS contacts FROM (${audience}) AS a GROUP BY 1`,
      ),
    ),
    bot: await ask(
      `SELECT 'all' AS key, count(*)::float8 AS conversations, count(*) FILTER (WHERE t.handoff IS NULL)::float8 AS solved FROM (${talks}) AS t`,
    ),
    workflows: byKey(
      await ask(
        `SELECT r.flow_id::text AS key, ${['completed', 'failed', 'cancelled'].map(status).join(', ')}, count(DISTINCT r.contact_id)::float8 AS contacts
           FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow'
          WHERE r.workspace_id = '${workspaceId}' AND NOT r.is_test AND ${within('r.ended_at')}${is('r.channel_id', channelId)} GROUP BY 1`,
      ),
    ),
  };
}

type Rounds = {
  responses: number;
  responseMs: number | null;
  late: number;
  resolutions: number;
  resolutionMs: number | null;
};
type Rated = { asked: number; good: number; okay: number; bad: number };
type Inbox = Rounds & {
  agents: (Rounds & { id: string })[];
  teams: (Rounds & { id: string })[];
  hours: (Rounds & { hour: number })[];
  satisfaction: Rated & { agents: (Rated & { id: string })[]; teams: (Rated & { id: string })[] };
};
type Audience = {
  points: { day: string; added: number; optIns: number; optOuts: number }[];
  sources: { kind: string; source: string; contacts: number }[];
};
type Automation = {
  bot: { conversations: number; solved: number };
  workflows: { id: string; completed: number; failed: number; cancelled: number; contacts: number }[];
};

const countedOf = (points: Audience['points']) =>
  byKey(
    points
      .filter(({ added, optIns, optOuts }) => added + optIns + optOuts > 0)
      .map(({ day, added, optIns, optOuts }) => ({ key: day, added, optIns, optOuts })),
  );

/** The same figures as the page gets them: `query` is what its address asks for. */
export async function readSections(get: Get, query: string) {
  const rounds = (key: string, { responses, responseMs, late, resolutions, resolutionMs }: Rounds): Row => ({
    ...{ key, responses, responseMs: Math.round(responseMs ?? 0), late, resolutions },
    resolutionMs: Math.round(resolutionMs ?? 0),
  });
  const rated = (key: string, { asked, good, okay, bad }: Rated): Row => ({ key, asked, good, okay, bad });
  const inbox = await get<Inbox>(`inbox?${query}`);
  const { points, sources } = await get<Audience>(`audience?${query}&bucket=day`);
  const ofBucket = async (bucket: 'week' | 'month') =>
    countedOf((await get<Audience>(`audience?${query}&bucket=${bucket}`)).points);
  const { bot, workflows } = await get<Automation>(`automation?${query}`);
  return {
    inbox: [rounds('all', inbox)],
    agents: byKey(inbox.agents.map((one) => rounds(one.id, one))),
    teams: byKey(inbox.teams.map((one) => rounds(one.id, one))),
    hours: byKey(
      inbox.hours
        .filter(({ responses, resolutions }) => responses + resolutions > 0)
        .map((one) => rounds(String(one.hour), one)),
    ),
    ratings: [rated('all', inbox.satisfaction)],
    ratedAgents: byKey(inbox.satisfaction.agents.map((one) => rated(one.id, one))),
    ratedTeams: byKey(inbox.satisfaction.teams.map((one) => rated(one.id, one))),
    audience: countedOf(points),
    audienceByWeek: await ofBucket('week'),
    audienceByMonth: await ofBucket('month'),
    sources: byKey(sources.map(({ kind, source, contacts }) => ({ key: `${kind} ${source}`, contacts }))),
    bot: [{ key: 'all', conversations: bot.conversations, solved: bot.solved }],
    workflows: byKey(
      workflows.map(({ id, completed, failed, cancelled, contacts }) => ({
        ...{ key: id, completed, failed, cancelled, contacts },
      })),
    ),
  };
}
