import { applyRollups } from '@app/database/analytics/apply-rollups';
import { NO_CONNECTION_FREE, QueryError } from '@app/database/query-error';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { deleteOverLinks } from '../../src/analytics/links/mount-report-links.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addCaller } from '../users/add-person.ts';

let api: ApiFixture;
let admin: ApiCaller;
/** Where the clock of the API stands, while it stands. */
let standsAt: Date | undefined;
beforeAll(async () => {
  api = await openApiFixture(
    { secrets: await createTestSecretBox(), clock: () => standsAt ?? new Date() },
    { isWorking: false },
  );
  admin = await api.as('admin');
  const channelId = await api.addChannel();
  await query(
    `INSERT INTO message_rollups (workspace_id, quarter, channel_id, author, direction, sent, delivered, read)
     VALUES ($1, date_trunc('day', now()) - interval '2 days', $2, 'agent', 'out', 1234, 1000, 250)`,
    [api.workspaceId, channelId],
  );
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone) VALUES (gen_random_uuid(), $1, 'Grace Secret', '+14155550123')`,
    [api.workspaceId],
  );
  await applyRollups(api.db.systemPool);
});
afterAll(() => api.close());

type Link = { id: string; name: string; url: string; endsAt: string; isOver: boolean };
const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const create = async (input: object = {}, caller = admin) => {
  const response = await caller.post('/api/analytics/links', {
    ...{ name: 'Board <report>', query: { period: '7days' }, days: 7, zone: 'Asia/Kolkata' },
    ...input,
  });
  expect(response.status).toBe(200);
  return response.json<Link>();
};
const list = async (caller = admin) =>
  (await (await caller.get('/api/analytics/links')).json<{ items: Link[] }>()).items;
const open = async (url: string, headers: Record<string, string> = {}) => {
  const response = await api.stranger.request(new URL(url).pathname, { headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

test('a stranger with the link sees the figures, no person, no script, in their language', async () => {
  const { url } = await create();
  const { status, text, headers } = await open(url, { 'accept-language': 'de' });
  expect(status).toBe(200);
  expect(text).toContain('Board &lt;report&gt;');
  expect(text).toContain('1.234');
  expect(text).toContain('Asia/Kolkata');
  expect(text).toContain('Leserate');
  expect(text).not.toMatch(/<script|<img|<link|undefined|Grace|\+1415|@(?!media)/);
  // A table that is wider than a phone scrolls by keyboard too, and has a name.
  expect(text.match(/<div class="scroll" tabindex="0" role="region" aria-label="[^"]+">/g)).toHaveLength(
    text.match(/<table>/g)!.length,
  );
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('a link takes the connections of reports, as the page of Analytics does', async () => {
  const { url } = await create();
  const inWorkspaceFor = vi.spyOn(api.db, 'inWorkspaceFor');
  try {
    expect((await open(url)).status).toBe(200);
    expect(inWorkspaceFor.mock.calls.map(([kind]) => kind)).toEqual(['reporting']);
    inWorkspaceFor.mockRejectedValueOnce(new QueryError({ code: NO_CONNECTION_FREE }));
    const { status, text } = await open(url);
    expect([status, text]).toEqual([503, expect.stringContaining('Try again in a minute.')]);
  } finally {
    inWorkspaceFor.mockRestore();
  }
});

test('the filters of a link are named, a member is not, and the address cannot widen them', async () => {
  const campaign = crypto.randomUUID();
  await query(
    `INSERT INTO rollup_names (id, workspace_id, kind, name) VALUES ($1, $2, 'campaign', 'Sommer <b>& Co</b>')`,
    [campaign, api.workspaceId],
  );
  const { id: agent } = await addCaller(api, 'agent');
  await query(`UPDATE users SET name = 'Zora Hidden' WHERE id = $1`, [agent]);
  const { url } = await create({ query: { campaign, country: 'DE', tag: 'vip', agent } });
  const { status, text } = await open(url, { 'accept-language': 'de' });
  expect(status).toBe(200);
  expect(text).toContain(
    'Kampagne: Sommer &lt;b&gt;&amp; Co&lt;/b&gt; · Tag: vip · Land: Deutschland · Was ein Mitglied geschrieben hat',
  );
  expect(text).not.toContain('Zora');
  expect(text).not.toContain('1.234');
  const widened = await api.stranger.request(
    `${new URL(url).pathname}?campaign=&tag=&country=&agent=&period=1year&segment=`,
    { headers: { 'accept-language': 'de' } },
  );
  expect(await widened.text()).toBe(text);
  expect((await open(`${url}/contacts`)).status).toBe(404);
});

test('a link of another workspace shows that one alone, and neither is listed nor ended from here', async () => {
  const { rows } = await query(`SELECT id FROM workspaces WHERE slug = 'other'`);
  const other = (rows[0] as { id: string }).id;
  const { id, url } = await create();
  await query(
    `INSERT INTO memberships (workspace_id, user_id, role, is_active) SELECT $1, user_id, 'admin', true FROM report_links WHERE id = $2
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = 'admin', is_active = true`,
    [other, id],
  );
  await query('UPDATE report_links SET workspace_id = $1 WHERE id = $2', [other, id]);
  const { status, text, headers } = await open(url);
  expect([status, text.includes('1,234')]).toEqual([200, false]);
  // Nothing between here and the reader may store it.
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('set-cookie')).toBeNull();
  expect((await list()).some((link) => link.id === id)).toBe(false);
  expect((await admin.delete(`/api/analytics/links/${id}`)).status).toBe(404);
  expect((await open(url)).status).toBe(200);
});

test('guessed, changed, over, ended, of who left or may no longer read: all look alike, and show nothing', async () => {
  const gone = async (url: string) => {
    const { status, text } = await open(url);
    expect([status, text.includes('This report is no longer available')]).toEqual([404, true]);
    expect(text).not.toContain('1,234');
    return text;
  };
  const link = await create();
  const token = link.url.split('/').at(-1)!;
  const other = await create({ name: 'Other' });
  const texts = new Set<string>();
  texts.add(await gone(link.url.replace(token, 'a-guess')));
  texts.add(await gone(link.url.replace(token, '')));
  texts.add(await gone(`${link.url.slice(0, -1)}${link.url.endsWith('A') ? 'B' : 'A'}`));
  texts.add(await gone(link.url.replace(link.id, other.id)));
  texts.add(await gone(link.url.replace(link.id, crypto.randomUUID())));
  await query(`UPDATE report_links SET ends_at = now() - interval '1 second' WHERE id = $1`, [link.id]);
  texts.add(await gone(link.url));
  expect((await list()).find(({ id }) => id === link.id)).toMatchObject({ isOver: true });
  expect((await open(other.url)).status).toBe(200);
  expect((await admin.delete(`/api/analytics/links/${other.id}`)).status).toBe(200);
  expect((await admin.delete(`/api/analytics/links/${other.id}`)).status).toBe(404);
  texts.add(await gone(other.url));

  const manager = await addCaller(api, 'manager');
  const theirs = await create({ name: 'Theirs' }, manager.caller);
  expect((await open(theirs.url)).status).toBe(200);
  await query(`UPDATE memberships SET role = 'agent' WHERE user_id = $1`, [manager.id]);
  texts.add(await gone(theirs.url));
  await query(`UPDATE memberships SET role = 'manager', is_active = false WHERE user_id = $1`, [manager.id]);
  texts.add(await gone(theirs.url));
  const segment = await create({ query: { segment: crypto.randomUUID() } });
  texts.add(await gone(segment.url));
  expect(texts.size).toBe(1);
});

test('links are made by who reads analytics and runs campaigns, are counted, logged, and go a month after their end', async () => {
  await query('DELETE FROM report_links');
  for (const role of ['agent', 'viewer'] as const) {
    const caller = await api.as(role);
    expect((await caller.get('/api/analytics/links')).status).toBe(403);
    expect(
      (await caller.post('/api/analytics/links', { name: 'x', query: {}, days: 7, zone: 'UTC' })).status,
    ).toBe(403);
  }
  for (const wrong of [
    { days: 0 },
    { days: 366 },
    { zone: 'Mars' },
    { name: ' ' },
    { query: { colour: 'red' } },
  ])
    expect(
      (await admin.post('/api/analytics/links', { name: 'x', query: {}, days: 7, zone: 'UTC', ...wrong }))
        .status,
    ).toBe(422);
  await create({ name: 'Logged' });
  await api.facts.catchUp();
  const log = await (await admin.get('/api/activities?limit=5')).json<{ items: { fact: object }[] }>();
  expect(log.items[0]?.fact).toMatchObject({ type: 'report_link.created', values: { name: 'Logged' } });
  await query(
    `INSERT INTO report_links (id, workspace_id, user_id, name, query, time_zone, created_at, ends_at)
     SELECT gen_random_uuid(), workspace_id, user_id, 'More', '{}', 'UTC', now(), now() + interval '1 day' FROM report_links, generate_series(1, 49)`,
  );
  expect(
    (await admin.post('/api/analytics/links', { name: 'x', query: {}, days: 7, zone: 'UTC' })).status,
  ).toBe(409);
  await query(`UPDATE report_links SET ends_at = now() - interval '31 days' WHERE name = 'More'`);
  await deleteOverLinks(api.parts);
  expect((await list()).map(({ name }) => name)).toEqual(['Logged']);
});

longTest('who asks too often waits', async () => {
  const { url } = await create();
  standsAt = new Date(Date.now() + 60_000);
  const answers = [];
  for (let times = 0; times < 61; times += 1) answers.push((await open(url)).status);
  standsAt = undefined;
  expect(answers.slice(0, 60)).toEqual(Array(60).fill(200));
  expect(answers[60]).toBe(429);
});
