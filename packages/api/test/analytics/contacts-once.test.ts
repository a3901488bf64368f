import { addDays, dayIn } from '@app/domain/analytics/report-period';
import { tidyFlows } from '@app/flows/tidy-flows';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { settleRollups } from './history/fill-history.ts';
import { readOutcomes, recountOutcomes } from './history/recount-outcomes.ts';
import { readSections, recountSections } from './history/recount-sections.ts';
import { openStory } from './rollup-story.ts';

let story: Awaited<ReturnType<typeof openStory>>;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.api.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Math.floor(Date.now() / 1_000) * 1_000;
const get = async <Answer>(path: string): Promise<Answer> => {
  const response = await story.admin.get(`/api/analytics/${path}`);
  expect([response.status, path]).toEqual([200, path]);
  return response.json<Answer>();
};

/** The same numbers each time. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Periods that begin and end within a month of 30 days, over several, and of one day. */
const PERIODS = [
  ['UTC', 200, 0],
  ['Asia/Kolkata', 95, 3],
  ['America/St_Johns', 40, 12],
  ['Australia/Lord_Howe', 9, 0],
  ['Pacific/Kiritimati', 61, 61],
] as const;

/** Of the runs in turn. */
const TEMPLATES = [crypto.randomUUID(), crypto.randomUUID()] as const;
type Filter = { channelId?: string; channel?: string; templateId?: string };
/** Windows of opt-outs, and what they are narrowed to. */
const ASKED: readonly (readonly [number, () => Filter])[] = [
  [7, () => ({})],
  [1, () => ({})],
  [30, () => ({})],
  [30, () => ({ channelId: story.channelId })],
  [7, () => ({ channelId: TEMPLATES[0] })],
  [7, () => ({ channel: 'whatsapp' })],
  [7, () => ({ templateId: TEMPLATES[0] })],
  [30, () => ({ templateId: TEMPLATES[1], channel: 'whatsapp' })],
];

async function expectRecounted(step: string): Promise<void> {
  const pool = story.api.db.systemPool;
  const { workspaceId } = story.api;
  await settleRollups(pool);
  for (const [zone, since, until] of PERIODS)
    for (const [windowDays, filter] of since > 90 ? ASKED : ASKED.slice(0, 1)) {
      const from = dayIn(zone, NOW - since * DAY);
      const to = addDays(dayIn(zone, NOW - until * DAY), until === 0 ? 1 : 0);
      const asked = { zone, from, to, windowDays, ...filter() };
      expect([step, asked, await readOutcomes(get, asked)]).toEqual([
        step,
        asked,
        await recountOutcomes(pool, { workspaceId, ...asked }),
      ]);
      if (windowDays !== 7 || Object.keys(filter()).length > 0) continue;
      for (const sender of [{}, { channelId: story.channelId }]) {
        const more = new URLSearchParams(sender).toString();
        const reported = await readSections(get, `from=${from}&to=${to}&zone=${zone}&${more}`);
        const counted = await recountSections(pool, { workspaceId, zone, from, to, ...sender });
        expect([step, asked, reported.bot, reported.workflows]).toEqual([
          step,
          asked,
          counted.bot,
          counted.workflows,
        ]);
      }
    }
}

longTest(
  'whatever happens to contacts, in whatever order it is told, each counts once in a period, as in a count of the rows',
  async () => {
    const { workspaceId } = story.api;
    const below = numbersFrom(20_261_128);
    const people = await Promise.all(Array.from({ length: 8 }, () => story.person()));
    const ids = people.map(({ id }) => id);
    const one = () => ids[below(ids.length)]!;
    const at = () => new Date(NOW - below(180 * 24) * HOUR);
    const [flow] = await story.query<{ id: string }>(
      `INSERT INTO flows (id, workspace_id, kind, name, draft, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'workflow', 'Once', '{}', now(), now()) RETURNING id`,
      [workspaceId],
    );
    const campaigns: string[] = [];
    for (const days of [170, 120, 90, 60, 33, 12, 5]) {
      const first = story.ours.length;
      campaigns.push(await story.campaign(ids));
      for (const sent of story.ours.slice(first)) {
        const when = NOW - days * DAY + below(48) * HOUR;
        await story.settle(sent, 'accepted', when);
        if (below(3) > 0) await sent.report('delivered', when + below(60) * HOUR);
      }
      // The run began before anything of it was told.
      await story.query(`UPDATE delivery_runs SET created_at = $2, template_id = $3 WHERE campaign_id = $1`, [
        campaigns.at(-1),
        new Date(NOW - (days + 1) * DAY),
        TEMPLATES[campaigns.length % 2],
      ]);
    }
    const addOptOut = () =>
      story.query(
        `INSERT INTO contact_consents (workspace_id, contact_id, kind, source, text, occurred_at) VALUES ($1, $2, 'opt_out', 'person', 'STOP', $3)`,
        [workspaceId, one(), at()],
      );
    const addAnswer = () =>
      story.query(
        `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, handoff, decided_at)
       VALUES (gen_random_uuid(), $1, $2, $3, 'fallback', $4, $5)`,
        [workspaceId, one(), story.channelId, [null, null, 'asked', 'keyword'][below(4)], at()],
      );
    const addRun = () =>
      story.query(
        `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, channel_id, status, state, class, seed, is_test, started_at, ended_at)
       VALUES (gen_random_uuid(), $1, $2, 1, $3, $4, $5, '{}', 1, 1, $6, $7, $7)`,
        [
          ...[workspaceId, flow!.id, below(9) === 0 ? null : one(), below(2) === 0 ? null : story.channelId],
          ...[['completed', 'failed', 'cancelled'][below(3)], below(8) === 0, at()],
        ],
      );
    const addConversion = () =>
      story.query(
        `INSERT INTO conversions (id, workspace_id, contact_id, source, external_id, name, value, currency, occurred_at, received_at, clicked_at, campaign_id, channel_id)
       VALUES (gen_random_uuid(), $1, $2, 'api', gen_random_uuid()::text, 'order', $3, $4, $5::timestamptz, $5::timestamptz,
         $5::timestamptz - make_interval(hours => $6::integer), $7, $8)`,
        [
          ...[workspaceId, one(), 10 + below(90), below(5) === 0 ? 'EUR' : 'USD', at()],
          ...[below(20 * 24), campaigns[below(campaigns.length)], story.channelId],
        ],
      );
    const add = async (count: number) => {
      for (let n = 0; n < count; n += 1) await [addOptOut, addAnswer, addRun, addConversion][below(4)]!();
    };

    await add(160);
    await expectRecounted('added');

    for (const sent of story.ours.filter((_, place) => place % 3 === 0)) {
      const when = (sent.sentAt ?? NOW) + below(10 * 24) * HOUR;
      await sent.report('read', when);
      await sent.report('delivered', when - HOUR);
      await sent.report('read', when);
    }
    await add(30);
    await expectRecounted('late, doubled and reordered reports');

    await story.query(
      `UPDATE bot_answers SET handoff = 'loop' WHERE message_id IN (SELECT message_id FROM bot_answers WHERE handoff IS NULL ORDER BY decided_at LIMIT 4)`,
    );
    await story.query(
      `UPDATE conversions SET cancelled_at = now() WHERE id IN (SELECT id FROM conversions ORDER BY occurred_at LIMIT 5)`,
    );
    await story.query(
      `UPDATE conversions SET value = value + 1, currency = 'USD' WHERE id IN (SELECT id FROM conversions ORDER BY occurred_at DESC LIMIT 5)`,
    );
    await story.query(
      `DELETE FROM contact_consents WHERE id IN (SELECT id FROM contact_consents WHERE kind = 'opt_out' ORDER BY occurred_at LIMIT 3)`,
    );
    await expectRecounted('changed');

    for (const windowDays of [1, 14]) {
      await story.query(
        `INSERT INTO conversion_settings (workspace_id, window_days, counts_links, version) VALUES ($1, $2, true, 1)
       ON CONFLICT (workspace_id) DO UPDATE SET window_days = excluded.window_days`,
        [workspaceId, windowDays],
      );
      await expectRecounted(`${windowDays} days after a click`);
    }

    await story.merge(ids[0]!, ids[1]!);
    await expectRecounted('merged');
    const [merge] = await story.query<{ id: string }>(
      'SELECT id FROM contact_merges ORDER BY merged_at DESC LIMIT 1',
    );
    expect((await story.admin.post(`/api/contacts/merges/${merge!.id}/undo`)).status).toBe(200);
    await expectRecounted('merge undone');

    await story.remove(ids[2]!, true);
    await expectRecounted('deleted and restored');
    await story.erase(ids[3]!);
    await story.remove(ids[4]!, false);
    await expectRecounted('erased and deleted');
    const [left] = await story.query<{ rows: number }>(
      'SELECT count(*)::integer AS rows FROM outcome_events WHERE who = $1',
      [ids[3]],
    );
    expect(left).toEqual({ rows: 0 });
  },
);

test('runs of workflows that are deleted by now stay counted, of contacts who are erased for no contact', async () => {
  const { workspaceId } = story.api;
  const people = [await story.person(), await story.person()];
  const [flow] = await story.query<{ id: string }>(
    `INSERT INTO flows (id, workspace_id, kind, name, draft, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'workflow', 'Kept', '{}', now(), now()) RETURNING id`,
    [workspaceId],
  );
  const end = (contactId: string, days: number) =>
    story.query(
      `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, status, state, class, seed, is_test, started_at, ended_at)
       VALUES (gen_random_uuid(), $1, $2, 1, $3, 'completed', '{}', 1, 1, false, $4, $4)`,
      [workspaceId, flow!.id, contactId, new Date(NOW - days * DAY)],
    );
  const kept = async () => {
    await settleRollups(story.api.db.systemPool);
    const from = dayIn('UTC', NOW - 200 * DAY);
    const { workflows } = await get<{ workflows: { id: string; completed: number; contacts: number }[] }>(
      `automation?from=${from}&to=${dayIn('UTC', NOW)}&zone=UTC`,
    );
    return workflows.find(({ id }) => id === flow!.id);
  };
  await end(people[0]!.id, 90);
  await end(people[0]!.id, 50);
  await end(people[1]!.id, 70);
  expect(await kept()).toMatchObject({ completed: 3, contacts: 2 });
  await tidyFlows((work) => story.api.db.inSystem((_, client) => work(client)), new Date(NOW));
  expect(await story.query('SELECT FROM flow_runs WHERE flow_id = $1', [flow!.id])).toEqual([]);
  await end(people[0]!.id, 2);
  expect(await kept()).toMatchObject({ completed: 4, contacts: 2 });
  await story.erase(people[0]!.id);
  expect(await kept()).toMatchObject({ completed: 4, contacts: 1 });
});
