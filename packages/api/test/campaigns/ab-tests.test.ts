import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '@app/database/new-id';
import { decideAbTests } from '../../src/campaigns/ab-test/decide-ab-tests.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import type { CampaignDetails } from './campaign-scenes.ts';

type Refusal = { error: { code: string } };
type Test = {
  state: string;
  plan: { sample: number; testSize: number; remaining: number; isTooSmall: boolean } | null;
  endsAt: string | null;
  verdict: { outcome: string; variant: number | null } | null;
  chosen: { variant: number; by: string } | null;
  waiting: number;
  variants: { recipients: number; base: number; hits: number; interval: { low: number; high: number } }[];
  rest: { recipients: number } | null;
  holdout: {
    heldOut: { contacts: number; wrote: number };
    reached: { contacts: number; wrote: number };
  } | null;
};

const PEOPLE = 200;
const rule = { metric: 'read', expectedRate: 50, smallestDifference: 50, windowHours: 24 };
const text = (customMessage: string) => ({ message: { customMessage } });
const abTest = { ...rule, share: 50, variants: [{ ...text('B {{name}}'), share: 50 }] };
const audience = { filter: { tags: ['tested'] } };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, window_expires_at)
     SELECT id, $1, 'Person ' || n, '+447700' || lpad(n::text, 6, '0'), '{tested}', now() + interval '9 hours'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS p (id, n)`,
    [api.workspaceId, Array.from({ length: PEOPLE }, () => newId())],
  );
  await api.addChannel();
});
beforeEach(() => api.db.systemPool.query('DELETE FROM delivery_runs'));
afterAll(() => api.close());

const create = (changes: object = {}) =>
  admin.post('/api/campaigns', { name: 'Spring', ...text('A {{name}}'), audience, abTest, ...changes });
async function start(changes: object = {}): Promise<string> {
  const { id } = await (await create(changes)).json<CampaignDetails>();
  const started = await admin.post(`/api/campaigns/${id}/start`);
  expect(started.status).toBe(200);
  return id;
}
const read = async (id: string) => (await admin.get(`/api/campaigns/${id}/test`)).json<Test>();
const choose = (id: string, variant: number, key?: string) =>
  admin.post(`/api/campaigns/${id}/test/choice`, { variant }, key);
const runOf = `(SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`;
async function query<Row extends object>(sql: string, values: unknown[]) {
  return (await api.db.systemPool.query<Row>(sql, values)).rows;
}
/** The engine has sent the test so many hours ago; of each variant so many in a hundred have read it by an hour later. */
async function finishTest(id: string, readPercents: number[], { hoursAgo = 25 } = {}) {
  await query(
    `UPDATE delivery_recipients r SET state = 2, accepted_at = t.at, delivered_at = t.at,
       read_at = CASE WHEN p.place * 100 < ($3::integer[])[r.variant + 1] * p.size THEN t.at + interval '1 hour' END
       FROM (SELECT now() - make_interval(hours => $2) AS at) AS t,
            (SELECT seq, row_number() OVER (PARTITION BY variant ORDER BY seq) - 1 AS place, count(*) OVER (PARTITION BY variant) AS size
               FROM delivery_recipients WHERE run_no = ${runOf} AND variant IS NOT NULL) AS p
      WHERE r.run_no = ${runOf} AND p.seq = r.seq`,
    [id, hoursAgo, readPercents],
  );
  await query(
    `UPDATE delivery_runs SET state = 'running', started_at = now() - make_interval(hours => $2), cursor = coalesce(claim_upto, total) WHERE campaign_id = $1`,
    [id, hoursAgo],
  );
}
const decide = () => decideAbTests(api.parts);
const runState = async (id: string) =>
  (
    await query<{ winner: number | null; upto: number | null }>(
      'SELECT winner, claim_upto AS upto FROM delivery_runs WHERE campaign_id = $1',
      [id],
    )
  )[0];

describe('a plan', () => {
  it('is computed before the start, with the rate that campaigns had before where there is one', async () => {
    const asked = { ...text('A'), audience, metric: 'read', smallestDifference: 50, shares: [50, 50] };
    const plan = await (await admin.post('/api/campaigns/test-plan', asked)).json();
    expect(plan).toMatchObject({ receiving: PEOPLE, expectedRate: 50, isLearnt: false, isTooSmall: false });
    const small = await admin.post('/api/campaigns/test-plan', { ...asked, smallestDifference: 1 });
    expect(await small.json()).toMatchObject({ isTooSmall: true, testSize: PEOPLE, remaining: 0 });
  });

  it('expects what campaigns of the last 90 days did: of what was delivered, and of what the platform refused too', async () => {
    const count = (daysAgo: number, campaignId: string | null, [sent, refused, delivered, read]: number[]) =>
      query(
        `INSERT INTO message_rollups (workspace_id, quarter, channel_id, campaign_id, author, direction, sent, refused, failed, delivered, read)
         VALUES ($1, quarter_of(now() - make_interval(days => $2)), $3, $4, CASE WHEN $4::uuid IS NULL THEN 'agent' ELSE 'campaign' END, 'out', $5, $6, $6, $7, $8)`,
        [...[api.workspaceId, daysAgo, newId(), campaignId], ...[sent, refused, delivered, read]],
      );
    await count(40, newId(), [100, 100, 80, 10]);
    await count(0, newId(), [150, 50, 120, 40]);
    // Written to one person, and too long ago.
    await count(10, null, [500, 0, 500, 500]);
    await count(91, newId(), [500, 0, 500, 500]);
    const asked = { ...text('A'), audience, metric: 'read', smallestDifference: 50, shares: [50, 50] };
    const plan = await (
      await admin.post('/api/campaigns/test-plan', asked)
    ).json<{
      sample: number;
      testSize: number;
    }>();
    expect(plan).toMatchObject({ expectedRate: 25, isLearnt: true });
    // Half of what was tried arrived, so that twice the sample of each of the two is written to.
    expect(plan.testSize).toBe(Math.min(PEOPLE, plan.sample * 2 * 2));
    await query('DELETE FROM message_rollups WHERE workspace_id = $1', [api.workspaceId]);
    await query('DELETE FROM message_rollup_sums WHERE workspace_id = $1', [api.workspaceId]);
  });

  it.each([
    ['shares that are more than the whole', { share: 60 }, 422],
    ['one variant alone', { variants: [] }, 422],
    ['five variants', { share: 20, variants: Array(4).fill({ ...text('B'), share: 20 }) }, 422],
    ['replies after more than a day', { metric: 'reply', windowHours: 25 }, 422],
    ['a window of none', { windowHours: 0 }, 422],
    ['an expected rate of nothing', { expectedRate: 0 }, 422],
    ['all people held out', { holdoutPercent: 100 }, 422],
    ['a template that is not there', { variants: [{ message: { templateId: newId() }, share: 50 }] }, 404],
  ])('refuses %s', async (_, changes, status) => {
    expect((await create({ abTest: { ...abTest, ...changes } })).status).toBe(status);
  });

  it('refuses variants that would reach other people', async () => {
    const id = newId();
    await query(
      `INSERT INTO templates (id, workspace_id, name, components, content, status, category, language, platform_status)
       VALUES ($1, $2, 'Offer', '[]', 'Hi', 'approved', 'utility', 'en', 'APPROVED')`,
      [id, api.workspaceId],
    );
    const mixed = await create({
      abTest: { ...abTest, variants: [{ message: { templateId: id }, share: 50 }] },
    });
    expect((await mixed.json<Refusal>()).error.code).toBe('campaign_variants_differ');
  });
});

describe('a test', () => {
  it('assigns by chance and shows what it waits for; below the window nothing is decided', async () => {
    const id = await start();
    const begun = await read(id);
    expect(begun).toMatchObject({ state: 'testing', verdict: null, chosen: null, endsAt: null });
    const { testSize = 0, remaining = 0 } = begun.plan ?? {};
    expect([testSize + remaining, begun.waiting]).toEqual([PEOPLE, remaining]);
    expect(begun.variants.map(({ recipients }) => recipients)).toEqual([
      Math.ceil(testSize / 2),
      Math.floor(testSize / 2),
    ]);
    await finishTest(id, [0, 100], { hoursAgo: 3 });
    await decide();
    const waiting = await read(id);
    expect(waiting.verdict).toBeNull();
    expect(new Date(waiting.endsAt ?? 0).getTime()).toBeGreaterThan(Date.now());
    expect((await (await choose(id, 1)).json<Refusal>()).error.code).toBe('campaign_test_running');
  });

  it('sends the winner to all who wait, once, by however many processes it is decided', async () => {
    const id = await start();
    await finishTest(id, [0, 100]);
    await Promise.all([decide(), decide(), decide()]);
    const over = await read(id);
    expect(over).toMatchObject({
      state: 'over',
      verdict: { outcome: 'winner', variant: 1 },
      chosen: { variant: 1, by: 'rule' },
    });
    expect(over.variants.map(({ base, hits }) => hits / base)).toEqual([0, 1]);
    expect(over.variants[0]?.interval.high).toBeLessThan(over.variants[1]?.interval.low ?? 0);
    expect(await runState(id)).toEqual({ winner: 1, upto: null });
    const ended = await query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM events WHERE type = 'campaign.test_ended' AND subject_id = $1`,
      [id],
    );
    expect(ended[0]?.count).toBe(1);
    const reported = await (
      await admin.get('/api/analytics/results?zone=UTC')
    ).json<{ abTests: { campaignId: string; outcome: string; variants: { isWinner: boolean }[] }[] }>();
    expect(reported.abTests.find(({ campaignId }) => campaignId === id)).toMatchObject({
      ...{ outcome: 'winner', variants: [{ isWinner: false }, { isWinner: true }] },
    });
    expect((await (await choose(id, 0)).json<Refusal>()).error.code).toBe('campaign_test_decided');
    expect((await choose(id, 1)).status).toBe(200);
  });

  it('names nobody below the planned sample, and then a person decides', async () => {
    const id = await start();
    await finishTest(id, [0, 100]);
    await query(
      `UPDATE delivery_recipients SET delivered_at = NULL, read_at = NULL WHERE run_no = ${runOf} AND variant = 1 AND seq > 1`,
      [id],
    );
    await decide();
    expect(await read(id)).toMatchObject({
      state: 'over',
      verdict: { outcome: 'too_few', variant: null },
      chosen: null,
    });
    expect(await runState(id)).toMatchObject({ winner: null });
    const viewer = await api.as('viewer');
    expect((await viewer.post(`/api/campaigns/${id}/test/choice`, { variant: 0 })).status).toBe(403);
    expect((await choose(id, 3)).status).toBe(404);
    const pressed = await Promise.all([
      choose(id, 0, 'choice-one'),
      choose(id, 0, 'choice-one'),
      choose(id, 0, 'choice-two'),
    ]);
    expect(pressed.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(id)).toMatchObject({ chosen: { variant: 0, by: 'person' }, waiting: 0 });
    expect(await runState(id)).toEqual({ winner: 0, upto: null });
  });

  it('waits for a press where the rule says so, and for nobody once it is cancelled', async () => {
    const id = await start({ abTest: { ...abTest, decides: 'person' } });
    await finishTest(id, [0, 100]);
    await decide();
    expect(await read(id)).toMatchObject({ verdict: { outcome: 'winner' }, chosen: null });
    expect(await runState(id)).toMatchObject({ winner: null });
    expect((await admin.post(`/api/campaigns/${id}/cancel`)).status).toBe(200);
    expect((await (await choose(id, 1)).json<Refusal>()).error.code).toBe('campaign_act_refused');
  });

  it('counts a read only within the window of the rule', async () => {
    const id = await start({ abTest: { ...abTest, windowHours: 2 } });
    await finishTest(id, [100, 100]);
    await query(
      `UPDATE delivery_recipients SET read_at = delivered_at + interval '3 hours' WHERE run_no = ${runOf} AND variant = 0`,
      [id],
    );
    expect((await read(id)).variants.map(({ hits }) => hits > 0)).toEqual([false, true]);
  });

  it('holds its group out and shows what they did without the campaign', async () => {
    const id = await start({ abTest: { ...abTest, holdoutPercent: 50 } });
    await finishTest(id, [0, 100]);
    const { holdout, plan } = await read(id);
    expect(
      (holdout?.heldOut.contacts ?? 0) +
        (plan ? (await read(id)).waiting + (holdout?.reached.contacts ?? 0) : 0),
    ).toBe(PEOPLE);
    expect(holdout?.heldOut.contacts).toBeGreaterThan(PEOPLE / 4);
    expect(holdout?.heldOut.wrote).toBe(0);
  });

  it('is there for campaigns that have one', async () => {
    const id = await start();
    expect((await admin.get(`/api/campaigns/${id}/test`)).status).toBe(200);
    const plain = await (await create({ abTest: null })).json<CampaignDetails>();
    expect((await (await admin.get(`/api/campaigns/${plain.id}/test`)).json<Refusal>()).error.code).toBe(
      'campaign_without_test',
    );
  });

  it('keeps its rule when only the name changes, and is refused when it changes after the start', async () => {
    const created = await (await create()).json<CampaignDetails & { version: number; abTest: object }>();
    const draft = { name: 'Other', ...text('A {{name}}'), audience, version: created.version };
    const kept = await (
      await admin.put(`/api/campaigns/${created.id}`, draft)
    ).json<{ abTest: object; version: number }>();
    expect(kept.abTest).toEqual(created.abTest);
    await admin.post(`/api/campaigns/${created.id}/start`);
    const { version } = await (await admin.get(`/api/campaigns/${created.id}`)).json<{ version: number }>();
    const changed = await admin.put(`/api/campaigns/${created.id}`, {
      ...draft,
      version,
      abTest: { ...abTest, windowHours: 1 },
    });
    expect((await changed.json<Refusal>()).error.code).toBe('campaign_already_started');
    const renamed = await admin.put(`/api/campaigns/${created.id}`, {
      ...draft,
      name: 'Third',
      version,
      abTest,
    });
    expect(renamed.status).toBe(200);
  });
});

describe('what the rule asks for', () => {
  it.each(['click', 'conversion'] as const)('can be a %s', async (metric) => {
    const id = await start({ abTest: { ...abTest, metric } });
    await finishTest(id, [0, 0]);
    const [link] = await query<{ id: string }>(
      `INSERT INTO counted_links (id, workspace_id, code, key, target, label, place, is_counted, campaign_id, channel_id, run_no, owner, created_at)
       SELECT gen_random_uuid(), workspace_id, md5(run_no::text || $2), 'k', 'https://shop.example', 'Shop', 'text', true, campaign_id, channel_id, run_no, 'r' || run_no, now()
         FROM delivery_runs WHERE campaign_id = $1 RETURNING id`,
      [id, metric],
    );
    const who = `SELECT r.* FROM delivery_recipients r WHERE r.run_no = ${runOf} AND r.variant = 1`;
    if (metric === 'click')
      await query(
        `INSERT INTO link_clicks (id, workspace_id, link_id, campaign_id, owner, seq, contact_id, clicked_at, ten_seconds, is_first)
         SELECT gen_random_uuid(), w.workspace_id, $2, $1, 'r' || w.run_no, w.seq, w.contact_id, w.delivered_at + interval '1 hour', 1, true FROM (${who}) AS w`,
        [id, link?.id],
      );
    else
      await query(
        `INSERT INTO conversions (id, workspace_id, contact_id, source, external_id, name, occurred_at, received_at, campaign_id)
         SELECT gen_random_uuid(), w.workspace_id, w.contact_id, 'api', w.contact_id::text, 'Order', w.delivered_at + interval '1 hour', now(), $1 FROM (${who}) AS w`,
        [id],
      );
    await decide();
    expect(await read(id)).toMatchObject({
      verdict: { outcome: 'winner', variant: 1 },
      chosen: { variant: 1 },
    });
  });
});
