import { applyRollups } from '@app/database/analytics/apply-rollups';
import { backfillRollups } from '@app/database/analytics/backfill-rollups';
import { newId } from '@app/database/new-id';
import { part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';

let api: ApiFixture;
let admin: ApiCaller;
let channelId: string;
let campaignIds: string[];
let agentId: string;
let otherId: string;
let teamId: string;
let segmentId: string;
const query = async <Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query<Row>(text, values)).rows;
const get = async <Answer>(path: string, caller = admin) => {
  const response = await caller.get(`/api/analytics/${path}`);
  expect([response.status, path]).toEqual([200, path]);
  return response.json<Answer>();
};

/** Both nights of 2026 in which clocks change in Europe and America, as rows that know nothing of rollups. */
const NIGHTS = ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01'];
beforeAll(async () => {
  api = await openApiFixture({}, { isWorking: false });
  admin = await api.as('admin');
  channelId = await api.addChannel();
  const { workspaceId } = api;
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags)
     SELECT gen_random_uuid(), $1, 'Person ' || n, (ARRAY['+1415556', '+4930555', '+7916555', '+7705555'])[1 + n % 4] || (1000 + n),
            CASE WHEN n % 3 = 0 THEN ARRAY['VIP'] ELSE '{}' END FROM generate_series(1, 120) n`,
    [workspaceId],
  );
  [agentId, otherId, teamId, segmentId] = [
    await memberId('agent'),
    await memberId('manager'),
    newId(),
    newId(),
  ];
  await query(
    `INSERT INTO teams (id, workspace_id, name, created_at, updated_at) VALUES ($1, $2, 'Support', now(), now())`,
    [teamId, workspaceId],
  );
  await query(
    `INSERT INTO team_members (workspace_id, team_id, user_id, role, joined_at) VALUES ($1, $2, $3, 'owner', now())`,
    [workspaceId, teamId, otherId],
  );
  await query(`INSERT INTO segments (id, workspace_id, name, rules) VALUES ($1, $2, 'Tens', $3)`, [
    ...[segmentId, workspaceId],
    JSON.stringify({ match: 'all', conditions: [{ kind: 'name_contains', value: '0' }] }),
  ]);
  campaignIds = [];
  for (const [place, night] of NIGHTS.entries()) {
    const [templateId, campaignId] = [newId(), newId()];
    campaignIds.push(campaignId);
    await query(
      `INSERT INTO templates (id, workspace_id, name, components, content) VALUES ($1, $2, $3, '[]', '')`,
      [...[templateId, workspaceId, `Template ${place}`]],
    );
    await query('INSERT INTO campaigns (id, workspace_id, name, template_id) VALUES ($1, $2, $3, $4)', [
      ...[campaignId, workspaceId, `Campaign ${place}`, templateId],
    ]);
    const [run] = await query<{ no: string }>(`SELECT nextval('delivery_run_small') AS no`);
    await query('SELECT ensure_delivery_partition($1)', [run!.no]);
    await query(
      `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, state, message, category, audience, frozen_at, total, rolled_up_below, created_at)
       VALUES ($1, $2, $3, $4, 'completed', '{}', 'utility', '{}', now(), 120, 0, $5::timestamptz - interval '1 day')`,
      [run!.no, workspaceId, channelId, campaignId, `${night}T00:00Z`],
    );
    await query(
      `INSERT INTO delivery_recipients (run_no, seq, state, attempt, accepted_at, delivered_at, read_at, failed_at, workspace_id, contact_id, address)
       SELECT $1, n - 1, CASE WHEN n % 17 = 0 THEN 3 ELSE 2 END, 1, CASE WHEN n % 17 <> 0 THEN at END,
              CASE WHEN n % 17 <> 0 AND n % 6 > 0 THEN at + n * interval '7 minutes' END,
              CASE WHEN n % 17 <> 0 AND n % (3 + $4::integer) = 1 THEN at + n * interval '11 minutes' END,
              CASE WHEN n % 17 = 0 OR n % 12 = 0 THEN at + interval '1 minute' END, $2, id, phone
         FROM (SELECT row_number() OVER (ORDER BY phone) AS n, id, phone FROM contacts WHERE workspace_id = $2) AS c,
              LATERAL (SELECT $3::timestamptz - interval '20 hours' + n * interval '17 minutes' AS at) AS t`,
      [run!.no, workspaceId, `${night}T00:00Z`, place],
    );
  }
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
     SELECT gen_random_uuid(), r.workspace_id, $2, r.contact_id, 'in', 'reply.' || r.run_no || '.' || r.seq, 'text', 'Yes', '{}',
            r.accepted_at + r.seq * interval '23 minutes'
       FROM delivery_recipients r WHERE r.workspace_id = $1 AND r.state = 2 AND r.seq % 4 = 0`,
    [workspaceId, channelId],
  );
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, type, text, content, occurred_at, author, author_id, purpose, send_no,
       state, accepted_at, delivered_at)
     SELECT gen_random_uuid(), workspace_id, channel_id, contact_id, 'out', 'text', 'Thanks', '{}', at, 'person',
            (ARRAY[$1, $2])[1 + (row_number() OVER (ORDER BY at, contact_id) % 3 > 0)::integer], 'reply', nextval('message_numbers'),
            'accepted', at, at + interval '1 second'
       FROM (SELECT workspace_id, channel_id, contact_id, occurred_at + interval '3 minutes' AS at FROM messages WHERE direction = 'in') AS m`,
    [agentId, otherId],
  );
  await backfillRollups(api.db.systemPool);
  await applyRollups(api.db.systemPool);
});
afterAll(() => api.close());
const memberId = async (role: string) =>
  (
    await query<{ id: string }>(
      'SELECT user_id AS id FROM memberships WHERE workspace_id = $1 AND role = $2',
      [api.workspaceId, role],
    )
  )[0]!.id;

/** Every message as a row with its times, from the tables themselves. */
const RAW = `
  WITH ours AS (
    SELECT d.campaign_id, c.template_id, r.contact_id, NULL AS author_id, CASE WHEN r.state = 2 THEN r.accepted_at END AS sent,
           CASE WHEN r.state = 2 THEN least(r.delivered_at, r.read_at) END AS delivered, CASE WHEN r.state = 2 THEN r.read_at END AS read,
           CASE WHEN r.state = 3 OR coalesce(r.delivered_at, r.read_at) IS NULL THEN r.failed_at END AS failed,
           CASE WHEN r.state = 3 THEN r.failed_at END AS refused
      FROM delivery_recipients r JOIN delivery_runs d USING (run_no) LEFT JOIN campaigns c ON c.id = d.campaign_id WHERE r.workspace_id = $1
    UNION ALL
    SELECT NULL, NULL, contact_id, author_id, accepted_at, least(delivered_at, read_at), read_at, NULL, NULL FROM messages WHERE workspace_id = $1 AND direction = 'out'
  ), raw AS (
    SELECT o.campaign_id, o.template_id, o.contact_id, o.author_id, e.metric, e.at AT TIME ZONE $2 AS at FROM ours o CROSS JOIN LATERAL (VALUES ('sent', o.sent), ('delivered', o.delivered),
      ('read', o.read), ('failed', o.failed), ('refused', o.refused), ('replied', (SELECT min(i.occurred_at) FROM messages i WHERE i.contact_id = o.contact_id AND i.direction = 'in'
        AND i.occurred_at > o.delivered AND i.occurred_at <= o.delivered + interval '24 hours'))) AS e (metric, at) WHERE e.at IS NOT NULL
  ), asked AS (SELECT * FROM raw WHERE at >= $3::date AND at < $4::date + 1)`;
const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;
const FIGURES = COUNTS.map((name) => `count(*) FILTER (WHERE metric = '${name}')::integer AS ${name}`).join(
  ', ',
);
type Counts = Record<(typeof COUNTS)[number], number>;

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];
const PERIODS = [
  ['2026-03-29', '2026-03-29'],
  ['2026-03-01', '2026-03-31'],
  ['2026-10-24', '2026-11-02'],
  ['2026-01-01', '2026-12-31'],
  ['2017-01-01', '2026-12-31'],
] as const;
const cases = ZONES.flatMap((zone) => PERIODS.map(([from, to]) => [zone, from, to] as const));

// Of six zones and five periods: seven steps on, both are others.
describe.each(part(cases, 7))('in %s from %s to %s', (zone, from, to) => {
  const asked = `?from=${from}&to=${to}&zone=${zone}`;
  const raw = <Row extends object>(text: string) =>
    query<Row>(`${RAW} ${text}`, [api.workspaceId, zone, from, to]);

  test('every figure is that of a count of the rows', async () => {
    const [sums] = await raw<Counts & { refused: number }>(
      `SELECT ${FIGURES}, count(*) FILTER (WHERE metric = 'refused')::integer AS refused FROM asked`,
    );
    const { sent, delivered, read, failed, replied, refused } = sums!;
    // What the platform refused was tried and never sent.
    const tried = sent + refused;
    const summary = await get<Record<string, unknown> & { counts: Counts }>(`summary${asked}`);
    expect(summary.counts).toMatchObject(sums!);
    expect(summary).toMatchObject({
      ...{ from, to, isComplete: true, messages: { value: sent } },
      ...{
        deliveryRate: { value: percent(delivered, tried) },
        readRate: { value: percent(read, delivered) },
      },
      responseRate: { value: percent(replied, delivered) },
    });
    expect(await get(`statuses${asked}`)).toEqual({
      ...{ from, to, read, failed, delivered: Math.max(0, delivered - read) },
      sent: Math.max(0, tried - delivered - failed),
    });
  });

  test.each(['day', 'week', 'month'])('by %s', async (bucket) => {
    const { points } = await get<{ points: ({ day: string } & Counts)[] }>(`volume${asked}&bucket=${bucket}`);
    const rows = await raw<{ day: string } & Counts>(
      `SELECT to_char(date_trunc('${bucket}', at), 'YYYY-MM-DD') AS day, ${FIGURES} FROM asked GROUP BY 1 ORDER BY 1`,
    );
    expect(points.filter((point) => COUNTS.some((name) => point[name] > 0))).toEqual(rows);
    expect(points.map(({ day }) => day)).toEqual(points.map(({ day }) => day).toSorted());
  });

  test('by campaign, template and hour', async () => {
    const campaigns = await get<{ total: number; items: ({ id: string; name: string } & Counts)[] }>(
      `campaigns${asked}`,
    );
    const rows = await raw<{ id: string } & Counts>(
      `SELECT campaign_id AS id, ${FIGURES} FROM asked WHERE campaign_id IS NOT NULL GROUP BY 1 ORDER BY sent DESC, 1`,
    );
    expect(campaigns.items).toEqual(
      rows.map((row) => ({ ...row, isDeleted: false, name: `Campaign ${campaignIds.indexOf(row.id)}` })),
    );
    expect(campaigns.total).toBe(rows.length);
    const templates = await get<{ items: { name: string; readRate: number | null }[] }>(
      `templates${asked}&limit=1000`,
    );
    const rated = await raw<{ id: string } & Counts>(
      `SELECT template_id AS id, ${FIGURES} FROM asked WHERE template_id IS NOT NULL GROUP BY 1`,
    );
    expect(templates.items).toHaveLength(rated.length);
    const rates = templates.items.map(({ readRate }) => readRate);
    expect(rates).toEqual(
      rated
        .map(({ read, delivered }) => percent(read, delivered))
        .toSorted((one, other) => (other ?? -1) - (one ?? -1)),
    );
    const { hours } = await get<{ hours: ({ hour: number } & Counts)[] }>(`best-time${asked}`);
    const byHour = await raw<{ hour: number } & Counts>(
      `SELECT extract(hour FROM at)::integer AS hour, ${FIGURES} FROM asked GROUP BY 1 ORDER BY 1`,
    );
    expect(hours.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(hours.filter((hour) => COUNTS.some((name) => hour[name] > 0))).toEqual(byHour);
  });
});

/** Of nothing there is no share. */
const percent = (one: number, all: number) => (all === 0 ? null : Math.round((one / all) * 1_000) / 10);

test('a period in which nothing was sent has no rates, and no change of them', async () => {
  const none = { value: null, change: null };
  expect(await get('summary?from=2020-01-01&to=2020-01-31')).toMatchObject({
    messages: { value: 0, change: null },
    ...{ deliveryRate: none, readRate: none, responseRate: none },
  });
});

test('a change is against as many days before, and none where there is nothing to compare with', async () => {
  const march = '?from=2026-03-29&to=2026-04-18';
  const summary = await get<{
    messages: { value: number; change: number | null };
    readRate: { change: number | null };
  }>(`summary${march}`);
  const [{ now, then }] = (await query<{ now: number; then: number }>(
    `${RAW} SELECT count(*) FILTER (WHERE at >= '2026-03-29')::integer AS now, count(*) FILTER (WHERE at < '2026-03-29')::integer AS then
       FROM asked WHERE metric = 'sent'`,
    [api.workspaceId, 'UTC', '2026-03-08', '2026-04-18'],
  )) as [{ now: number; then: number }];
  expect(summary.messages).toEqual({ value: now, change: Math.round(((now - then) / then) * 1_000) / 10 });
  const first = await get<typeof summary>('summary?from=2026-03-01&to=2026-03-20');
  expect([first.messages.change, first.readRate.change]).toEqual([null, null]);
});

test('a change of what is read from messages is that of the same days before, asked by themselves', async () => {
  type Summary = {
    messages: { value: number; change: number | null };
    readRate: { value: number | null; change: number | null };
    before: { from: string; to: string };
  };
  for (const filter of [
    'tag=VIP',
    `teamId=${teamId}`,
    `segmentId=${segmentId}&campaignId=${campaignIds[1]}`,
  ]) {
    const asked = (from: string, to: string) =>
      get<Summary>(`summary?from=${from}&to=${to}&zone=Asia/Kolkata&${filter}`);
    const now = await asked('2026-03-29', '2026-04-18');
    const then = await asked(now.before.from, now.before.to);
    const [value, earlier] = [now.messages.value, then.messages.value];
    expect(now.messages.change).toBe(
      earlier === 0 ? null : Math.round(((value - earlier) / earlier) * 1_000) / 10,
    );
    const [rate, rateBefore] = [now.readRate.value, then.readRate.value];
    expect(now.readRate.change).toBe(
      rate === null || rateBefore === null ? null : Math.round((rate - rateBefore) * 10) / 10,
    );
  }
  expect(
    (await get<Summary>('summary?from=2026-03-29&to=2026-04-18&tag=VIP')).messages.change,
  ).not.toBeNull();
});

test('filters leave the others out', async () => {
  const year = 'from=2026-01-01&to=2026-12-31';
  const sent = async (filter: string) =>
    (await get<{ counts: Counts }>(`summary?${year}&${filter}`)).counts.sent;
  const [ofCampaign] = await query<{ sent: number }>(
    `${RAW} SELECT count(*)::integer AS sent FROM asked WHERE campaign_id = $5 AND metric = 'sent'`,
    [api.workspaceId, 'UTC', '2026-01-01', '2026-12-31', campaignIds[1]],
  );
  expect(await sent(`campaignId=${campaignIds[1]}`)).toBe(ofCampaign!.sent);
  const [template] = await query<{ id: string }>('SELECT template_id AS id FROM campaigns WHERE id = $1', [
    campaignIds[1],
  ]);
  expect(await sent(`templateId=${template!.id}`)).toBe(ofCampaign!.sent);
  const all = await sent('');
  expect([await sent(`channelId=${channelId}`), await sent('channel=whatsapp')]).toEqual([all, all]);
  expect([await sent(`channelId=${newId()}`), await sent('channel=rcs')]).toEqual([0, 0]);
});

test.each<[string, () => string, string]>([
  ['a tag', () => 'tag=VIP', `c.tags @> '{VIP}'`],
  ['a segment', () => `segmentId=${segmentId}`, `c.name LIKE '%0%'`],
  ['Germany', () => 'country=DE', `c.phone LIKE '+49%'`],
  ['Russia, which shares a code', () => 'country=RU', `c.phone LIKE '+79%'`],
  ['Kazakhstan', () => 'country=KZ', `c.phone LIKE '+77%'`],
  ['a country without contacts', () => 'country=FR', 'false'],
  ['a member', () => `agentId=${agentId}`, 'a.author_id = $5'],
  ['a team', () => `teamId=${teamId}`, 'a.author_id = $6'],
  [
    'all of them',
    () => `tag=VIP&country=DE&segmentId=${segmentId}&campaignId=${campaignIds[0]}`,
    `c.tags @> '{VIP}' AND c.phone LIKE '+49%'
     AND c.name LIKE '%0%' AND a.campaign_id = $7`,
  ],
])('narrowed to %s, all figures are counted from the rows', async (_, filter, condition) => {
  const [from, to, zone] = ['2026-03-08', '2026-11-02', 'Asia/Kolkata'];
  const values = [api.workspaceId, zone, from, to, agentId, otherId, campaignIds[0]];
  const raw = <Row extends object>(text: string) =>
    query<Row>(
      `${RAW}, named AS (SELECT a.* FROM asked a JOIN contacts c ON c.id = a.contact_id
         WHERE ($5::text, $6::text, $7::uuid) IS NOT NULL AND ${condition}) ${text}`,
      values,
    );
  const asked = `?from=${from}&to=${to}&zone=${zone}&${filter()}`;
  const [sums] = await raw<Counts & { refused: number }>(
    `SELECT ${FIGURES}, count(*) FILTER (WHERE metric = 'refused')::integer AS refused FROM named`,
  );
  const tried = sums!.sent + sums!.refused;
  expect(await get(`summary${asked}`)).toMatchObject({
    counts: sums,
    deliveryRate: { value: tried === 0 ? null : percent(sums!.delivered, tried) },
  });
  const { points } = await get<{ points: ({ day: string } & Counts)[] }>(`volume${asked}&bucket=day`);
  expect(points.filter((point) => COUNTS.some((name) => point[name] > 0))).toEqual(
    await raw(`SELECT to_char(at, 'YYYY-MM-DD') AS day, ${FIGURES} FROM named GROUP BY 1 ORDER BY 1`),
  );
  expect((await get<{ items: object[] }>(`campaigns${asked}`)).items.map((row) => row)).toEqual(
    (
      await raw<{ id: string } & Counts>(
        `SELECT campaign_id AS id, ${FIGURES} FROM named WHERE campaign_id IS NOT NULL GROUP BY 1 ORDER BY sent DESC, 1`,
      )
    ).map((row) => ({ ...row, isDeleted: false, name: `Campaign ${campaignIds.indexOf(row.id)}` })),
  );
});

test('what figures are narrowed to has its name, and what exists no more says so', async () => {
  const filters = async (asked: Record<string, string>, caller = admin) =>
    (await get<{ items: object[] }>(`filters?${new URLSearchParams(asked)}`, caller)).items;
  const campaignId = campaignIds[0]!;
  expect(await filters({ teamId, segmentId, campaignId, tag: 'VIP', country: 'DE', agentId })).toEqual([
    { kind: 'campaign', value: campaignId, name: 'Campaign 0', isGone: false },
    { kind: 'tag', value: 'VIP', name: 'VIP', isGone: false },
    { kind: 'segment', value: segmentId, name: 'Tens', isGone: false },
    { kind: 'country', value: 'DE', name: 'DE', isGone: false },
    { kind: 'agent', value: agentId, name: expect.any(String), isGone: false },
    { kind: 'team', value: teamId, name: 'Support', isGone: false },
  ]);
  const gone = newId();
  await query(
    `INSERT INTO rollup_names (workspace_id, id, kind, name) VALUES ($1, $2, 'campaign', 'Spring')`,
    [api.workspaceId, gone],
  );
  expect(
    await filters({ campaignId: gone, templateId: newId(), tag: 'nobody', segmentId: gone }),
  ).toMatchObject([
    { kind: 'campaign', name: 'Spring', isGone: true },
    { kind: 'template', name: null, isGone: true },
    { kind: 'tag', name: 'nobody', isGone: true },
    { kind: 'segment', name: null, isGone: true },
  ]);
  expect(await filters({})).toEqual([]);
  // Another workspace learns no name.
  expect(await filters({ campaignId, segmentId, agentId, teamId }, await api.asOther())).toMatchObject(
    ['campaign', 'segment', 'agent', 'team'].map((kind) => ({ kind, name: null, isGone: true })),
  );
});

test('failures are counted by reason', async () => {
  await query(`UPDATE delivery_recipients SET error_code = '131026' WHERE workspace_id = $1 AND state = 3`, [
    api.workspaceId,
  ]);
  const rows = await query(
    `SELECT error_code AS code, count(*)::integer AS count FROM delivery_recipients WHERE workspace_id = $1 AND failed_at IS NOT NULL
        AND (state = 3 OR coalesce(delivered_at, read_at) IS NULL) GROUP BY 1 ORDER BY 2 DESC, 1`,
    [api.workspaceId],
  );
  const { items } = await get<{ items: unknown[] }>('failures?from=2026-01-01&to=2026-12-31');
  expect(items).toEqual(rows);
  expect(items).toContainEqual(expect.objectContaining({ code: '131026' }));
});

test('the inbox counts answers by member, team and hour, and who waits', async () => {
  const round = (at: string, answered: number, resolved: number | null, who: string, team: string | null) =>
    query(
      `INSERT INTO conversation_rounds (workspace_id, conversation_id, opened_at, first_answered_at, first_answer_by, resolved_at, resolved_by, team_id,
         channel_id, priority, is_answered_in_time)
       VALUES ($1, gen_random_uuid(), $2, $2::timestamptz + $3 * interval '1 minute', $4, $2::timestamptz + $5 * interval '1 minute', $4, $6, $7,
         'normal', $3 < 10)`,
      [api.workspaceId, at, answered, who, resolved, team, channelId],
    );
  await round('2026-06-10T10:00Z', 4, 60, agentId, null);
  await round('2026-06-10T10:05Z', 20, null, agentId, teamId);
  await round('2026-06-12T20:00Z', 6, 30, otherId, teamId);
  const MINUTE = 60_000;
  const june = '?from=2026-06-01&to=2026-06-30&zone=Asia/Kolkata';
  const inbox = await get<{ hours: { hour: number; responses: number }[] }>(`inbox${june}`);
  expect(inbox).toMatchObject({
    ...{
      responses: 3,
      responseMs: 10 * MINUTE,
      late: 1,
      resolutions: 2,
      resolutionMs: 45 * MINUTE,
      waiting: 0,
    },
    agents: [
      { id: agentId, responses: 2, responseMs: 12 * MINUTE, resolutions: 1 },
      { id: otherId, responses: 1, responseMs: 6 * MINUTE, resolutionMs: 30 * MINUTE },
    ],
    teams: [{ id: teamId, name: 'Support', responses: 2, late: 1 }],
  });
  // 10:04 and 10:25 in London are half past three in Kolkata and later; 20:06 is the next day there.
  expect(
    inbox.hours.filter(({ responses }) => responses > 0).map(({ hour, responses }) => [hour, responses]),
  ).toEqual([
    [1, 1],
    [15, 2],
  ]);
  expect(await get(`inbox${june}&teamId=${teamId}&agentId=${otherId}`)).toMatchObject({
    responses: 1,
    late: 0,
  });
});

test('the audience grows by day and source', async () => {
  // Since yesterday, so that midnight may pass between the contacts and the question.
  const [from, to] = [Date.now() - 86_400_000, Date.now()].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  );
  const { points, ...audience } = await get<{ points: { day: string; added: number }[] }>(
    `audience?from=${from}&to=${to}`,
  );
  expect(points).toEqual([
    { day: from, added: expect.any(Number), optIns: 0, optOuts: 0 },
    { day: to, added: expect.any(Number), optIns: 0, optOuts: 0 },
  ]);
  expect(points.reduce((sum, { added }) => sum + added, 0)).toBe(120);
  expect(audience).toMatchObject({
    bucket: 'day',
    sources: [{ kind: 'new', source: 'form', contacts: 120 }],
  });
});

test('what figures can be narrowed to is what the workspace has', async () => {
  expect(await get('choices')).toMatchObject({
    ...{ tags: ['VIP'], countries: ['DE', 'KZ', 'RU', 'US'], segments: [{ id: segmentId, name: 'Tens' }] },
    ...{ teams: [{ id: teamId, name: 'Support' }], senders: [{ id: channelId }] },
    agents: expect.arrayContaining([expect.objectContaining({ id: agentId })]),
  });
  const refused = await admin.get(`/api/analytics/summary?segmentId=${newId()}`);
  expect([refused.status, (await refused.json<{ error: { code: string } }>()).error.code]).toEqual([
    404,
    'segment_not_found',
  ]);
});

test.each<[string, () => string, string, string]>([
  ['who read', () => '', 'read', 'true'],
  ['who got one of a campaign', () => `;campaignId=${campaignIds[1]}`, 'delivered', 'a.campaign_id = $5'],
  ['who replied, of a country', () => ';country=DE', 'replied', `c.phone LIKE '+49%'`],
  ['to whom a member wrote', () => `;agentId=${agentId}`, 'sent', 'a.author_id = $6'],
  ['whose message failed', () => '', 'failed', 'true'],
])('the people behind a number: %s', async (_, filter, metric, condition) => {
  const [from, to, zone] = ['2026-03-08', '2026-03-29', 'America/New_York'];
  const rows = await query<{ id: string }>(
    `${RAW} SELECT DISTINCT c.id FROM asked a JOIN contacts c ON c.id = a.contact_id
      WHERE a.metric = $7 AND ($5::uuid, $6::text) IS NOT NULL AND ${condition} ORDER BY 1`,
    [api.workspaceId, zone, from, to, campaignIds[1], agentId, metric],
  );
  const report = encodeURIComponent(`${metric};${from};${to};${zone}${filter()}`);
  const list = async (more = '') => {
    const response = await admin.get(`/api/contacts?limit=200&report=${report}${more}`);
    expect(response.status).toBe(200);
    return (await response.json<{ items: { id: string; tags: string[] }[] }>()).items;
  };
  const found = await list();
  expect(found.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id));
  expect(rows.length).toBeGreaterThan(0);
  expect((await list('&tag=VIP')).length).toBe(found.filter(({ tags }) => tags.length > 0).length);
});

test('who got a message and did not read it, and who did not get it', async () => {
  const ids = async (metric: string) => {
    const response = await admin.get(
      `/api/contacts?limit=200&report=${encodeURIComponent(`${metric};2026-01-01;2026-12-31;UTC;campaignId=${campaignIds[0]}`)}`,
    );
    return (await response.json<{ items: { id: string }[] }>()).items.map(({ id }) => id).toSorted();
  };
  const of = async (condition: string) =>
    (
      await query<{ id: string }>(
        `SELECT r.contact_id AS id FROM delivery_recipients r JOIN delivery_runs d USING (run_no) WHERE d.campaign_id = $1 AND ${condition} ORDER BY 1`,
        [campaignIds[0]],
      )
    ).map(({ id }) => id);
  expect(await ids('unread')).toEqual(
    await of('r.state = 2 AND r.delivered_at IS NOT NULL AND r.read_at IS NULL'),
  );
  expect(await ids('undelivered')).toEqual(
    await of('r.state = 2 AND coalesce(r.delivered_at, r.read_at, r.failed_at) IS NULL'),
  );
});

test('people behind a number are for who may read analytics, and a text that names none is refused', async () => {
  const report = encodeURIComponent('sent;2026-01-01;2026-12-31;UTC');
  const choice = { filter: { report: 'sent;2026-01-01;2026-12-31;UTC' } };
  const agent = await api.as('agent');
  expect((await agent.get(`/api/contacts?report=${report}`)).status).toBe(403);
  expect((await agent.post('/api/contacts/choices/count-opted-out', { choice })).status).toBe(403);
  expect((await agent.post('/api/campaigns/audience-size', { audience: choice })).status).toBe(403);
  const manager = await api.as('manager');
  expect((await manager.post('/api/campaigns/audience-size', { audience: choice })).status).toBe(200);
  expect((await manager.get(`/api/contacts?report=${report}`)).status).toBe(200);
  expect((await admin.get('/api/contacts?report=everybody')).status).toBe(422);
  expect(await (await (await api.asOther()).get(`/api/contacts?report=${report}`)).json()).toMatchObject({
    items: [],
  });
});

test('a campaign that is deleted since keeps its figures and its name', async () => {
  const [deleted] = campaignIds.slice(2);
  const read = async () =>
    (
      await get<{ items: { id: string; name: string; isDeleted: boolean; sent: number }[] }>(
        'campaigns?from=2026-01-01&to=2026-12-31',
      )
    ).items.find(({ id }) => id === deleted);
  const before = await read();
  expect((await admin.delete(`/api/campaigns/${deleted}`)).status).toBe(200);
  expect(await read()).toEqual({ ...before, isDeleted: true });
});

test('without dates the last 30 days are told, and an empty workspace has zeros', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const { counts, ...rest } = await get<{ from: string; to: string; counts: object; messages: object }>(
    'summary',
    await api.asOther(),
  );
  expect(Object.values(counts).every((value) => value === 0)).toBe(true);
  expect(rest).toMatchObject({ to: today, messages: { value: 0, change: null } });
  expect(await get('best-time', await api.asOther())).toMatchObject({ peak: null });
});

test.each([
  ['a period of eleven years', 'from=2015-01-01&to=2026-01-01'],
  ['an end before its beginning', 'from=2026-02-01&to=2026-01-01'],
  ['a day that is none', 'from=2026-02-30&to=2026-03-01'],
  ['the last days that can be written', 'from=9999-12-30&to=9999-12-31'],
  ['the first days that can be written', 'from=0001-01-01&to=0001-01-02'],
  ['a time zone that is none', 'from=2026-01-01&to=2026-01-02&zone=Mars/Olympus'],
  ['an offset in place of a time zone', 'from=2026-01-01&to=2026-01-02&zone=%2B05:30'],
  ['a country that is none', 'from=2026-01-01&to=2026-01-02&country=ZZ'],
  ['more rows than anybody reads', 'limit=5000'],
])('%s is refused', async (_, asked) => {
  const response = await admin.get(`/api/analytics/campaigns?${asked}`);
  expect([response.status, (await response.json<{ error: { code: string } }>()).error.code]).toEqual([
    422,
    'invalid_input',
  ]);
});

test('ten years and their leap days are the longest period: every report answers, one more day is refused', async () => {
  const days = (from: string) => `from=${from}&to=2026-12-31&zone=Asia/Kathmandu`;
  const names = ['summary', 'volume', 'statuses', 'campaigns', 'templates', 'best-time', 'failures'];
  const sections = ['results', 'template-health', 'inbox', 'audience', 'automation'];
  for (const name of [...names, ...sections])
    expect(await get(`${name}?${days('2016-12-24')}`)).toMatchObject({ from: '2016-12-24' });
  type Volume = { bucket: string; points: { day: string; sent: number }[] };
  const [byMonth, byDay] = [
    await get<Volume>(`volume?${days('2016-12-24')}`),
    await get<Volume>(`volume?${days('2016-12-24')}&bucket=day`),
  ];
  expect([byMonth.bucket, byMonth.points.length, byDay.points.length]).toEqual(['month', 121, 3_660]);
  const sum = ({ points }: Volume) => points.reduce((total, { sent }) => total + sent, 0);
  const { counts } = await get<{ counts: { sent: number } }>(`summary?${days('2016-12-24')}`);
  expect(counts.sent).toBeGreaterThan(0);
  expect([sum(byMonth), sum(byDay)]).toEqual([counts.sent, counts.sent]);
  for (const name of [...names, ...sections])
    expect((await admin.get(`/api/analytics/${name}?${days('2016-12-23')}`)).status).toBe(422);
});

test('a program reads them with a key that may read analytics', async () => {
  const asked = 'summary?from=2026-01-01&to=2026-12-31';
  const may = callWithKey(api, (await makeApiKey(admin, { scopes: ['analytics:read'] })).secret);
  expect(await get(asked, may)).toEqual(await get(asked));
  const mayNot = callWithKey(api, (await makeApiKey(admin, { scopes: ['contacts:read'] })).secret);
  expect((await mayNot.get(`/api/analytics/${asked}`)).status).toBe(403);
});

test('of four hundred campaigns those that sent most come first, and the answer says how many there are', async () => {
  await query(
    `INSERT INTO message_rollups (workspace_id, quarter, channel_id, campaign_id, author, direction, sent)
     SELECT $1, '2018-05-05T10:00Z', $2, gen_random_uuid(), 'campaign', 'out', n FROM generate_series(1, 400) n`,
    [api.workspaceId, channelId],
  );
  const asked = 'campaigns?from=2018-05-01&to=2018-05-31';
  const { total, items } = await get<{ total: number; items: { sent: number; name: string | null }[] }>(
    asked,
  );
  expect([total, items.length, items[0]?.sent, items.at(-1)?.sent]).toEqual([400, 100, 400, 301]);
  expect((await get<{ items: object[] }>(`${asked}&limit=1000`)).items).toHaveLength(400);
});
