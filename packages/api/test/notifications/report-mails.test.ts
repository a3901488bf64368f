import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { barPixels } from '../../src/analytics/mails/bars-picture.ts';
import { enqueueSummaries } from '../../src/notifications/summaries/enqueue-summaries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addCaller } from '../users/add-person.ts';

let api: ApiFixture;
let noor: Awaited<ReturnType<typeof addCaller>>;
beforeAll(async () => {
  api = await openApiFixture();
  const channelId = await api.addChannel();
  await query(
    `INSERT INTO message_rollups (workspace_id, quarter, channel_id, author, direction, sent, delivered, read)
     VALUES ($1, '2026-12-01T20:00Z', $2, 'agent', 'out', 1234, 1000, 250), ($1, '2026-12-02T20:00Z', $2, 'agent', 'out', 9999, 9999, 9999)`,
    [api.workspaceId, channelId],
  );
});
beforeEach(async () => {
  await query('DELETE FROM summaries');
  noor = await addCaller(api, 'manager');
  await query(
    `UPDATE memberships SET created_at = CASE WHEN user_id = $1 THEN '2020-01-01' ELSE '2100-01-01' END::timestamptz`,
    [noor.id],
  );
  await query(`UPDATE users SET timezone = 'Asia/Kolkata', language = 'de' WHERE id = $1`, [noor.id]);
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const mails = () => api.mails.filter(({ to }) => to === noor.email);
const wants = async (every: string | null, name = 'Woche', search: object = { period: '7days' }) => {
  const saved = await noor.caller.post('/api/analytics/views', { name, query: search });
  const { id } = await saved.json<{ id: string }>();
  const set = await noor.caller.put(`/api/analytics/views/${id}/mail`, { every });
  expect([set.status, await set.json()]).toMatchObject([200, { id, name, mailEvery: every }]);
  return id;
};
/** Two processes look at that moment. */
async function look(at: string): Promise<void> {
  const parts = { ...api.parts, clock: () => new Date(at) };
  await Promise.all([enqueueSummaries(parts), enqueueSummaries(parts)]);
  await settled('summary-mail');
}
async function settled(job: string): Promise<void> {
  const open = `SELECT state, output FROM jobs.job WHERE name = $1 AND state <> 'completed'`;
  await expect.poll(async () => (await query(open, [job])).rows).toEqual([]);
}

test('a view comes with the summary of each day, once, though nothing happened otherwise, with a picture and CSV', async () => {
  await wants('daily');
  await look('2026-12-02T02:29:00Z'); // 7:59 in Kolkata
  expect(mails()).toEqual([]);
  await look('2026-12-02T02:31:00Z');
  await look('2026-12-02T03:31:00Z');
  expect(mails()).toHaveLength(1);
  const [mail] = mails();
  // Nothing was sent so far: there is no empty picture.
  expect(mail?.pictures).toBeUndefined();
  expect(mail?.html).not.toContain('<img');
  expect(mail?.files).toHaveLength(2);
  // The evening of the first of December is the second in Kolkata: days that are over alone.
  expect(mail?.text).toContain('Woche, ');
  expect(mail?.text).not.toMatch(/1\.234|9\.999/);
  await look('2026-12-03T02:31:00Z');
  const next = mails()[1];
  expect(next?.text).toContain('Nachrichten: 1.234');
  // The view itself is one press away.
  expect(next?.text).toMatch(/Diese Ansicht öffnen: http.*\/dashboard\/analytics\?period=7days/);
  expect(next?.html).toContain('Diese Ansicht öffnen');
  expect(next?.html).toContain('cid:report-0');
  expect(next?.html).not.toMatch(/<script|https?:\/\/(?!localhost|127)[^"]*\.(png|jpg)|undefined/);
  expect(next?.pictures?.map(({ name }) => name)).toEqual(['report-0']);
  expect([...(next?.pictures?.[0]?.content.slice(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff]);
  expect(next?.files?.map(({ name }) => name)).toEqual([
    'Woche - Gesendete Nachrichten pro Tag.csv',
    'Woche - Kampagnen.csv',
  ]);
  expect(next?.files?.[0]?.text).toContain('2026-12-02;1234;1000;250;0;0\r\n');
});

test('the file of a mail has every campaign, its table the ones that sent most and how many there are', async () => {
  await query(
    `WITH named AS (INSERT INTO rollup_names (workspace_id, id, kind, name) SELECT $1, gen_random_uuid(), 'campaign', 'Sale ' || n FROM generate_series(1, 12) n RETURNING id, name)
     INSERT INTO message_rollups (workspace_id, quarter, channel_id, campaign_id, author, direction, sent)
     SELECT $1, '2026-11-03T12:00Z', c.id, named.id, 'campaign', 'out', 100 + substr(named.name, 6)::integer
       FROM named CROSS JOIN channels c WHERE c.workspace_id = $1`,
    [api.workspaceId],
  );
  const custom = { period: 'custom', from: '2026-11-01', to: '2026-11-05', zone: 'UTC' };
  await wants('daily', 'Viele', custom);
  await look('2026-12-03T02:31:00Z');
  const [mail] = mails();
  const rows = mail?.files?.[1]?.text.trim().split('\r\n').slice(1) ?? [];
  expect(rows).toHaveLength(12);
  expect([rows[0], rows[11]]).toEqual(['Sale 12;112;0;0;0;0', 'Sale 1;101;0;0;0;0']);
  expect(mail?.html).toMatch(/Sale 3\b/);
  expect(mail?.html).not.toMatch(/Sale 2\b/);
  expect(mail?.html).toContain('10 von 12');
});

test('picture, title and file of a mail follow the measure and the buckets of its view, its change reads as on the page', async () => {
  await query(
    `INSERT INTO message_rollups (workspace_id, quarter, channel_id, author, direction, sent, delivered)
     SELECT $1, at, c.id, 'agent', 'out', sent, sent FROM channels c,
       (VALUES ('2026-06-01T12:00Z'::timestamptz, 1), ('2026-07-01T12:00Z'::timestamptz, 500)) AS n (at, sent) WHERE c.workspace_id = $1`,
    [api.workspaceId],
  );
  const july = { period: 'custom', from: '2026-07-01', to: '2026-07-31', zone: 'UTC', by: 'month' };
  await wants('daily', 'Gelesen', { ...july, shown: 'read' });
  await wants('daily', 'Zugestellt', { ...july, shown: 'delivered' });
  await wants('daily', 'Alles', {});
  await look('2026-12-03T02:31:00Z');
  const [mail] = mails();
  const files = mail?.files?.filter(({ name }) => name.includes('Monat')) ?? [];
  expect(files.map(({ name }) => name)).toEqual([
    'Gelesen - Gelesene Nachrichten pro Monat.csv',
    'Zugestellt - Zugestellte Nachrichten pro Monat.csv',
  ]);
  expect(files[0]?.text.split('\r\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^\uFEFF?Monat;Gesendet;/),
    '2026-07-01;500;500;0;0;0',
  ]);
  // Nobody read anything in July: that view has no picture.
  expect(mail?.pictures?.map(({ name }) => name)).toEqual(['report-0', 'report-2']);
  expect(mail?.html).toContain('Zugestellte Nachrichten pro Monat');
  expect(mail?.text).toMatch(/Nachrichten: 500 · > 999\s%/u);
  expect(mail?.text).toMatch(/\/dashboard\/analytics\?workspace=/);
});

test('a mail names the filters of its view, the member too', async () => {
  await wants('daily', 'Gefiltert', { period: '7days', tag: 'vip', agent: noor.id });
  await look('2026-12-03T02:31:00Z');
  const { name } = (await query('SELECT name FROM users WHERE id = $1', [noor.id])).rows[0] as {
    name: string;
  };
  expect(mails()[0]?.text).toContain(`Tag: vip\nMitglied: ${name}\n`);
  expect(mails()[0]?.html).toContain('Tag: vip');
});

test('one is sent now, to the owner of the view alone, once for each press, with nothing to unsubscribe from', async () => {
  const saved = await noor.caller.post('/api/analytics/views', {
    ...{ name: 'Jetzt', query: { period: 'custom', from: '2026-12-01', to: '2026-12-02', zone: 'UTC' } },
  });
  const { id } = await saved.json<{ id: string }>();
  const press = (caller: ApiCaller, key: string, view = id) =>
    caller.post(`/api/notifications/views/${view}/mail`, {}, key);
  const key = crypto.randomUUID();
  const answers = [await press(noor.caller, key), await press(noor.caller, key)];
  expect(await Promise.all(answers.map((one) => one.json()))).toEqual([
    { email: noor.email },
    { email: noor.email },
  ]);
  await settled('view-mail');
  expect(mails()).toHaveLength(1);
  const [mail] = mails();
  expect(mail?.subject).toContain('Ihr Bericht');
  expect(mail?.text).toContain('Nachrichten: 11.233');
  expect(mail?.unsubscribeUrl).toBeUndefined();
  expect(mail?.html).not.toContain('unsubscribe');
  expect(mail?.pictures).toHaveLength(1);
  expect((await press(await api.as('admin'), crypto.randomUUID())).status).toBe(404);
  expect((await press(noor.caller, crypto.randomUUID(), crypto.randomUUID())).status).toBe(404);
  expect((await press(await api.as('agent'), crypto.randomUUID())).status).toBe(403);
});

test('each cadence has its morning, and a month is one mail', async () => {
  await wants('weekly', 'Je Woche');
  await wants('monthly', 'Je Monat');
  await look('2027-01-01T03:00:00Z'); // a Friday
  await look('2027-01-01T05:00:00Z');
  expect(mails().map(({ subject }) => subject)).toEqual([
    expect.stringContaining('Ihr Monat, Dezember 2026'),
  ]);
  expect(mails()[0]?.text).toContain('Je Monat, ');
  expect(mails()[0]?.text).not.toContain('Je Woche');
  await look('2027-01-04T03:00:00Z'); // Monday
  expect(mails()).toHaveLength(2);
  expect(mails()[1]?.text).toContain('Je Woche, ');
});

test('one press on the link of a mail ends its views, and who may no longer read analytics gets none', async () => {
  const id = await wants('daily');
  await wants('monthly', 'Je Monat');
  await look('2026-12-03T03:00:00Z');
  const url = new URL(mails()[0]?.unsubscribeUrl ?? '');
  expect((await api.stranger.request(url.pathname, { method: 'POST' })).status).toBe(200);
  const views = await (
    await noor.caller.get('/api/analytics/views')
  ).json<{ items: { id: string; mailEvery: string | null }[] }>();
  expect(views.items.map(({ mailEvery }) => mailEvery).toSorted()).toEqual(['monthly', null]);
  await look('2026-12-04T03:00:00Z');
  expect(mails()).toHaveLength(1);

  expect((await noor.caller.put(`/api/analytics/views/${id}/mail`, { every: 'daily' })).status).toBe(200);
  const { id: lost } = await (
    await noor.caller.post('/api/analytics/views', { name: 'Weg', query: { segment: crypto.randomUUID() } })
  ).json<{ id: string }>();
  await noor.caller.put(`/api/analytics/views/${lost}/mail`, { every: 'daily' });
  await look('2026-12-05T03:00:00Z');
  expect(mails()[1]?.text).toContain('Ihr Segment wurde gelöscht');
  await query(`UPDATE memberships SET role = 'agent' WHERE user_id = $1`, [noor.id]);
  await look('2026-12-06T03:00:00Z');
  expect(mails()).toHaveLength(2);
  expect(
    (await (await api.as('admin')).put(`/api/analytics/views/${id}/mail`, { every: 'daily' })).status,
  ).toBe(404);
});

test('bars are in proportion, down to a single pixel and up to ten years of days', () => {
  const size = { width: 40, height: 20 };
  const green = (pixels: Uint8Array, x: number) =>
    Array.from({ length: size.height }, (_, y) => pixels[(y * size.width + x) * 3]).filter((red) => red === 0)
      .length;
  const pixels = barPixels([10, 5, 0, 10], size);
  expect([5, 15, 25, 35].map((x) => green(pixels, x))).toEqual([14, 7, 0, 14]);
  expect(barPixels([], size)).toHaveLength(40 * 20 * 3);
  expect(
    barPixels(
      Array.from({ length: 3_660 }, () => 1),
      size,
    ).filter((value) => value === 0).length,
  ).toBeGreaterThan(0);
});
