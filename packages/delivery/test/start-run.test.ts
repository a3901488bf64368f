import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewAudience } from '../src/audience-preview.ts';
import { freezeRest } from '../src/start-run.ts';
import { inTransaction } from '../src/transaction.ts';
import { type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';
import { readRecipients } from './support/read-recipients.ts';

let scene: DeliveryScene;
let ids: string[];

beforeAll(async () => {
  scene = await openDeliveryScene();
  ids = await scene.addContacts(60);
  const change = (set: string, from: number, to: number) =>
    scene.database.systemPool.query(`UPDATE contacts SET ${set} WHERE id = ANY($1)`, [ids.slice(from, to)]);
  await change(`status = 'blocked'`, 0, 2);
  await change('opted_out_at = now()', 2, 5);
  await change(`phone = NULL, platform_user_id = id::text`, 5, 6);
  await change(`window_expires_at = now() + interval '1 hour'`, 10, 14);
  await change(`tags = '{vip}', name = 'Zoë 100%_sure'`, 20, 25);
});

afterAll(() => scene.close());

test('fifty simultaneous starts make one run', async () => {
  const campaignId = randomUUID();
  const results = await Promise.all(Array.from({ length: 50 }, () => scene.start({ campaignId })));
  expect(results.filter(({ outcome }) => outcome === 'started')).toHaveLength(1);
  expect(results.filter(({ outcome }) => outcome === 'already_started')).toHaveLength(49);
  expect(new Set(results.map((result) => 'runNo' in result && result.runNo)).size).toBe(1);
});

test.each([
  ['marketing', { receiving: 54, blocked: 2, optedOut: 3, withoutNumber: 1, windowClosed: 0 }],
  ['utility', { receiving: 57, blocked: 2, optedOut: 0, withoutNumber: 1, windowClosed: 0 }],
  ['service', { receiving: 4, blocked: 2, optedOut: 0, withoutNumber: 1, windowClosed: 53 }],
] as const)('the preview of a %s message counts what the run then freezes', async (category, expected) => {
  const audience = { filter: {} };
  const preview = await previewAudience(scene.database.systemPool, {
    workspaceId: scene.workspaceId,
    ...{ audience, category, channelId: scene.channelId },
  });
  expect(preview).toMatchObject({ chosen: 60, ...expected });
  const runNo = await scene.startRunOf({ audience, category });
  const { counters } = await scene.progress(runNo);
  expect(counters).toMatchObject({ total: 60, pending: expected.receiving });
});

test('picked contacts count once however often they were picked', async () => {
  const contactIds = [...ids.slice(30, 40), ...ids.slice(30, 35)];
  const preview = await previewAudience(scene.database.systemPool, {
    workspaceId: scene.workspaceId,
    audience: { contactIds },
    ...{ category: 'marketing', channelId: scene.channelId },
  });
  expect(preview).toMatchObject({ chosen: 10, receiving: 10, doubled: 5 });
  expect((await scene.progress(await scene.startRunOf({ audience: { contactIds } }))).counters.total).toBe(
    10,
  );
});

test('a filter takes tags, status, exclusions and search text literally', async () => {
  const totalOf = async (filter: object, excludedIds: string[] = []) =>
    (await scene.progress(await scene.startRunOf({ audience: { filter, excludedIds } }))).counters.total;
  expect(await totalOf({ tags: ['vip', 'none'] })).toBe(5);
  expect(await totalOf({ tags: ['vip'] }, ids.slice(20, 22))).toBe(3);
  expect(await totalOf({ search: 'ZOË 100%_S' })).toBe(5);
  expect(await scene.start({ audience: { filter: { search: `x' OR '1'='1` } } })).toEqual({
    outcome: 'nobody',
  });
  expect(await scene.start({ audience: { filter: { status: 'blocked' } } })).toEqual({ outcome: 'nobody' });
});

test('contacts of another workspace cannot be reached', async () => {
  const other = randomUUID();
  await scene.database.systemPool.query(
    `INSERT INTO workspaces (id, slug, name) VALUES ($1, 'other', 'Other')`,
    [other],
  );
  expect(await scene.start({ workspaceId: other, audience: { contactIds: ids } })).toEqual({
    outcome: 'nobody',
  });
});

test('a large audience starts with its head and is completed once, without doubles', async () => {
  const started = await scene.start({ largeFrom: 40, headSize: 10 });
  expect(started).toMatchObject({ outcome: 'started', total: 10, isFrozen: false });
  const runNo = 'runNo' in started ? started.runNo : 0;
  const pool = scene.database.systemPool;
  await Promise.all([1, 2, 3].map(() => inTransaction(pool, (client) => freezeRest(client, runNo))));
  const { counters, isFrozen } = await scene.progress(runNo);
  expect([counters.total, counters.pending, isFrozen]).toEqual([60, 54, true]);
  const recipients = await readRecipients(scene, runNo);
  expect(recipients.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, seq) => seq));
  expect(new Set(recipients.map(({ address }) => address)).size).toBe(60);
  expect(recipients.slice(54).every(({ outcome }) => outcome === 'cancelled')).toBe(true);
  const { rows } = await pool.query(
    'SELECT tableoid::regclass::text AS part, count(*)::integer FROM delivery_recipients WHERE run_no = $1 GROUP BY 1 ORDER BY 1',
    [runNo],
  );
  expect(rows).toEqual([
    { part: `delivery_recipients_${runNo}`, count: 10 },
    { part: `delivery_recipients_${runNo}_rest`, count: 50 },
  ]);
});
