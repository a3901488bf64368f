import { dayIn } from '@app/domain/analytics/report-period';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openStory } from './rollup-story.ts';

let story: Awaited<ReturnType<typeof openStory>>;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.api.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
type Results = {
  funnel: Record<string, number | null>;
  optOuts: number;
  items: {
    id: string;
    name: string;
    isDeleted: boolean;
    optOuts: number;
    sent: number;
    clicked: number | null;
  }[];
};

test('an opt-out belongs to the last campaign that reached the contact, within the window, in every zone', async () => {
  const people = [await story.person(), await story.person(), await story.person(), await story.person()];
  const ids = people.map(({ id }) => id);
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const send = async (at: number) => {
    const own = story.ours.length;
    const id = await story.campaign(ids);
    for (const one of story.ours.slice(own)) {
      await story.settle(one, 'accepted', at);
      await one.report('delivered', at);
    }
    return id;
  };
  const [first, second] = [await send(now - 10 * DAY), await send(now - 3 * DAY)];
  const optOut = (contactId: string, at: number) =>
    story.query(
      `INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, occurred_at) VALUES ($1, $2, 'opt_out', 'person', 'STOP', $3)`,
      [story.api.workspaceId, contactId, new Date(at)],
    );
  await optOut(ids[0]!, now - 9 * DAY); // after the first
  await optOut(ids[1]!, now - 1.5 * DAY); // after both: the second
  await optOut(ids[1]!, now - 1 * DAY); // said twice, counted once
  await optOut(ids[2]!, now - 11 * DAY); // before any
  await story.settleAll();
  for (const zone of ZONES) {
    const days = `from=${dayIn(zone, now - 20 * DAY)}&to=${dayIn(zone, now)}&zone=${zone}`;
    const results = await get<Results>(`results?${days}`);
    const of = (id: string) => results.items.find((one) => one.id === id);
    expect([zone, of(first)?.optOuts, of(second)?.optOuts, results.optOuts]).toEqual([zone, 1, 1, 2]);
    expect(results.funnel).toMatchObject({ sent: 8, delivered: 8, read: 0, clicked: 0 });
    // The people behind the number are those that were counted, and no others.
    const people = (more = '') =>
      `/api/contacts?report=${encodeURIComponent(`optedOut;${days.replaceAll(/\w+=/g, '').replaceAll('&', ';')}${more}`)}`;
    const listed = async (more?: string) =>
      (await (await story.admin.get(people(more))).json<{ items: { id: string }[] }>()).items.map(
        ({ id }) => id,
      );
    expect((await listed()).toSorted()).toEqual([ids[0]!, ids[1]!].toSorted());
    expect(await listed(`;campaignId=${second}`)).toEqual([ids[1]]);
  }
  const short = await get<Results>('results?windowDays=1');
  expect(short.optOuts).toBe(1);
  const tagged = await get<Results>('results?tag=nobody');
  expect(tagged).toMatchObject({ optOuts: 0, cost: null, funnel: { sent: 0, clicked: null } });
  expect((await story.admin.get('/api/analytics/results?windowDays=31')).status).toBe(422);

  // A campaign that is deleted keeps its figures and its name.
  await story.query('DELETE FROM campaigns WHERE id = $1', [second]);
  expect((await get<Results>('results?')).items.find(({ id }) => id === second)).toMatchObject({
    ...{ isDeleted: true, name: 'Spring', optOuts: 1, sent: 4 },
  });
});

test('spend is that of the rollups, in the currency of the workspace, beside the budget', async () => {
  const { workspaceId } = story.api;
  const id = await story.campaign([(await story.person()).id]);
  await story.query(
    `INSERT INTO message_rollups (workspace_id, quarter, channel_id, campaign_id, author, direction, sent, clicked, cost)
     VALUES ($1, date_trunc('hour', now()) - interval '7 hours', $2, $3, 'campaign', 'out', 100, 12, 4500000)`,
    [workspaceId, story.channelId, id],
  );
  await story.query(
    `UPDATE workspaces SET settings = settings || '{"budget":{"isEnabled":true,"perMonth":50}}' WHERE id = $1`,
    [workspaceId],
  );
  const results = await get<object>('results?');
  expect(results).toMatchObject({
    ...{ cost: 4.5, currency: 'USD', budget: { perMonth: 50, used: 0, left: 50 } },
    items: expect.arrayContaining([expect.objectContaining({ id, sent: 100, clicked: 12, cost: 4.5 })]),
  });
});

test('templates in trouble come first, and the bot and workflows say how they ended', async () => {
  const { workspaceId } = story.api;
  const make = async (name: string, platform: string | null, failed: number) => {
    const [row] = await story.query<{ id: string }>(
      `INSERT INTO templates (id, workspace_id, name, components, content, status, platform_status) VALUES (gen_random_uuid(), $1, $2, '[]', '', 'approved', $3)
       RETURNING id`,
      [workspaceId, name, platform],
    );
    await story.query(
      `INSERT INTO message_rollups (workspace_id, quarter, channel_id, template_id, author, direction, sent, failed)
       VALUES ($1, date_trunc('hour', now()) - interval '7 hours', $2, $3, 'agent', 'out', 100, $4)`,
      [workspaceId, story.channelId, row!.id, failed],
    );
  };
  await make('well', null, 1);
  await make('failing', null, 40);
  await make('paused', 'PAUSED', 0);
  const { items } = await get<{ items: { name: string }[] }>('template-health?');
  expect(items.map(({ name }) => name).filter((name) => name !== null)).toEqual([
    'paused',
    'failing',
    'well',
  ]);

  const people = [await story.person(), await story.person(), await story.person()];
  const answers: [number, string | null, string][] = [
    ...([
      [0, null, '6 hours'],
      [1, null, '6 hours'],
      [1, 'asked', '5 hours'],
    ] as [number, string | null, string][]),
    [2, 'keyword', '40 days'],
  ];
  for (const [who, handoff, ago] of answers)
    await story.query(
      `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, handoff, decided_at)
       VALUES (gen_random_uuid(), $1, $2, $3, 'fallback', $4, now() - $5::interval)`,
      [workspaceId, people[who]!.id, story.channelId, handoff, ago],
    );
  const [flow] = await story.query<{ id: string }>(
    `INSERT INTO flows (id, workspace_id, kind, name, draft, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'workflow', 'Welcome', '{}', now(), now()) RETURNING id`,
    [workspaceId],
  );
  for (const [status, isTest] of [
    ['completed', false],
    ['completed', false],
    ['failed', false],
    ['completed', true],
  ] as const)
    await story.query(
      `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, status, state, class, seed, is_test, started_at, ended_at)
       VALUES (gen_random_uuid(), $1, $2, 1, $3, $4, '{}', 1, 1, $5, now() - interval '7 hours', now() - interval '6 hours')`,
      [workspaceId, flow!.id, people[0]!.id, status, isTest],
    );
  await story.settleAll();
  expect(await get('automation?')).toMatchObject({
    bot: { conversations: 2, solved: 1, handoffs: [{ reason: 'asked', conversations: 1 }] },
    workflows: [{ id: flow!.id, name: 'Welcome', completed: 2, failed: 1, cancelled: 0, contacts: 1 }],
  });
});

longTest(
  'every number of clicks, conversions, the inbox, the bot and workflows has its people behind it',
  async () => {
    const { workspaceId } = story.api;
    const people = [await story.person(), await story.person(), await story.person()];
    const [ann, bob, cleo] = people.map(({ id }) => id) as [string, string, string];
    const at = new Date(Date.now() - 3 * HOUR);
    const day = dayIn('UTC', at.getTime());
    // Everything happens at one moment, so that the test asks for the right day also shortly after midnight.
    await story.query('UPDATE contacts SET created_at = $1 WHERE id = ANY ($2)', [at, [ann, bob, cleo]]);
    const [flow] = await story.query<{ id: string }>(
      `INSERT INTO flows (id, workspace_id, kind, name, draft, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'workflow', 'Thanks', '{}', now(), now()) RETURNING id`,
      [workspaceId],
    );
    const campaignId = await story.campaign([ann]);
    const [link] = await story.query<{ id: string }>(
      `INSERT INTO counted_links (id, workspace_id, code, key, target, label, place, is_counted, campaign_id, channel_id, run_no, owner, created_at)
     VALUES (gen_random_uuid(), $1, 'people', 'k', 'https://example.com', 'Shop', 'text', true, $2, $3, 991, 'r991', now()) RETURNING id`,
      [workspaceId, campaignId, story.channelId],
    );
    for (const [seq, who, isFirst] of [
      [0, ann, true],
      [0, ann, false],
      [1, bob, true],
    ] as const)
      await story.query(
        `INSERT INTO link_clicks (id, workspace_id, link_id, campaign_id, owner, seq, contact_id, clicked_at, ten_seconds, is_first)
       VALUES (gen_random_uuid(), $1, $2, $3, 'r991', $4, $5, $6, $7, $8)`,
        [workspaceId, link!.id, campaignId, seq, who, at, isFirst ? 1 : 2, isFirst],
      );
    for (const [who, clickedDaysAgo] of [
      [ann, 1],
      [bob, 80],
    ] as const)
      await story.query(
        `INSERT INTO conversions (id, workspace_id, contact_id, source, external_id, name, occurred_at, received_at, clicked_at, campaign_id, channel_id)
       VALUES (gen_random_uuid(), $1, $2::uuid, 'api', $2::uuid::text, 'order', $3::timestamptz, $3::timestamptz, $3::timestamptz - make_interval(days => $4::integer), $5, $6)`,
        [workspaceId, who, at, clickedDaysAgo, campaignId, story.channelId],
      );
    const agentId = '0193a6f0-0000-7000-8000-00000000abcd';
    for (const [who, rating, isInTime] of [
      [ann, 3, true],
      [bob, 1, false],
      [cleo, null, true],
    ] as const) {
      const [conversation] = await story.query<{ id: string }>(
        `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, waiting_since)
       VALUES (gen_random_uuid(), $1, $2, $3, $4::timestamptz, CASE WHEN $5::int IS NULL THEN $4::timestamptz END)
       ON CONFLICT (contact_id, channel_id) DO UPDATE SET waiting_since = excluded.waiting_since RETURNING id`,
        [workspaceId, who, story.channelId, at, rating],
      );
      await story.query(
        `INSERT INTO conversation_rounds (workspace_id, conversation_id, opened_at, first_answered_at, first_answer_by, resolved_at, resolved_by, channel_id, priority,
         is_answered_in_time, asked_at, rating) VALUES ($1, $2, $3::timestamptz, $3::timestamptz, $4::uuid, $3::timestamptz, $4::uuid, $5, 'none', $6, $3::timestamptz, $7::smallint)`,
        [workspaceId, conversation!.id, at, who === cleo ? null : agentId, story.channelId, isInTime, rating],
      );
    }
    for (const [who, handoff] of [
      [ann, null],
      [bob, 'asked'],
      [cleo, 'keyword'],
    ] as const)
      await story.query(
        `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, handoff, decided_at) VALUES (gen_random_uuid(), $1, $2, $3, 'fallback', $4, $5)`,
        [workspaceId, who, story.channelId, handoff, at],
      );
    for (const [who, status] of [
      [ann, 'completed'],
      [bob, 'failed'],
      [bob, 'failed'],
    ] as const)
      await story.query(
        `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, status, state, class, seed, is_test, started_at, ended_at)
       VALUES (gen_random_uuid(), $1, $2, 1, $3, $4, '{}', 1, 1, false, $5, $5)`,
        [workspaceId, flow!.id, who, status, at],
      );
    const mine = new Set([ann, bob, cleo]);
    const names = new Map([
      [ann, 'ann'],
      [bob, 'bob'],
      [cleo, 'cleo'],
    ]);
    const listed = async (what: string) => {
      const [metric, ...more] = what.split(' ');
      const report = encodeURIComponent([metric, day, day, 'UTC', ...more].join(';'));
      const response = await story.admin.get(`/api/contacts?limit=200&report=${report}`);
      expect([what, response.status]).toEqual([what, 200]);
      const { items } = await response.json<{ items: { id: string }[] }>();
      return items.flatMap(({ id }) => (mine.has(id) ? [names.get(id)] : [])).toSorted();
    };
    for (const [what, who] of Object.entries({
      clicked: ['ann', 'bob'],
      [`clicked campaignId=${campaignId}`]: ['ann', 'bob'],
      'clicked campaignId=0193a6f0-0000-7000-8000-000000000001': [],
      converted: ['ann'],
      waiting: ['cleo'],
      answered: ['ann', 'bob', 'cleo'],
      [`answered agentId=${agentId}`]: ['ann', 'bob'],
      answeredLate: ['bob'],
      resolved: ['ann', 'bob', 'cleo'],
      asked: ['ann', 'bob', 'cleo'],
      ratedGood: ['ann'],
      ratedOkay: [],
      ratedBad: ['bob'],
      botTalks: ['ann', 'bob', 'cleo'],
      botSolved: ['ann'],
      handedOver: ['bob', 'cleo'],
      'handedOver reason=keyword': ['cleo'],
      [`runs flowId=${flow!.id}`]: ['ann', 'bob'],
      [`runsFailed flowId=${flow!.id}`]: ['bob'],
      [`runsCancelled flowId=${flow!.id}`]: [],
      'failed reason=-': [],
      'failed reason=131026': [],
      added: ['ann', 'bob', 'cleo'],
    }))
      expect([what, await listed(what)]).toEqual([what, who]);
    // Each of them is a choice of people like any other: it can be counted, and a campaign can be for it.
    const audience = { filter: { report: `ratedBad;${day};${day};UTC` } };
    const size = await story.admin.post('/api/campaigns/audience-size', { audience });
    expect(await size.json()).toMatchObject({ chosen: 1 });
  },
);

async function get<Answer>(path: string): Promise<Answer> {
  const response = await story.admin.get(`/api/analytics/${path}`);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json<Answer>();
}
