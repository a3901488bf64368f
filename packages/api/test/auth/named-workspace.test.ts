import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callBy, openApiFixture, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { addWorkspaceRows, ROW_MARK } from '../workspace-rows/workspace-rows.ts';
import { tabOf } from '../workspaces/tabs.ts';

let api: ApiFixture;
let manager: ApiCaller;
/** The manager of Acme, who is an admin of the other workspace as well. */
let there: ApiCaller;
let here: ApiCaller;
let foreign: Awaited<ReturnType<typeof addWorkspaceRows>>;
const mediaStore = createMemoryMediaStore();

const enter = async () =>
  api.db.systemPool.query(
    `INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'admin') ON CONFLICT DO NOTHING`,
    [api.otherWorkspaceId, await api.userId('manager@acme.test')],
  );
const leave = async () =>
  api.db.systemPool.query('DELETE FROM memberships WHERE workspace_id = $1 AND user_id = $2', [
    api.otherWorkspaceId,
    await api.userId('manager@acme.test'),
  ]);
const codeOf = async (answer: { json<Body>(): Promise<Body> }) =>
  (await answer.json<{ error: { code: string } }>()).error.code;
const namesOf = async (caller: ApiCaller) =>
  (await (await caller.get('/api/contacts')).json<{ items: { name: string }[] }>()).items.map(
    ({ name }) => name,
  );

beforeAll(async () => {
  api = await openApiFixture({ mediaStore });
  manager = await api.as('manager');
  here = tabOf(manager, api.workspaceId);
  there = tabOf(manager, api.otherWorkspaceId);
  foreign = await addWorkspaceRows(api.parts, api.otherWorkspaceId, await api.asOther());
  mediaStore.files.set(`files/${foreign['mediaId']}`, new TextEncoder().encode(ROW_MARK));
});
afterAll(() => api.close());
beforeEach(enter);

describe('a request that names a workspace of its person', () => {
  test('has the role of there; one without a name is in the workspace that they are in the longest', async () => {
    const read = async (caller: ApiCaller) => (await caller.get('/api/session')).json();
    expect(await read(there)).toMatchObject({ workspace: { slug: 'other' }, role: 'admin' });
    expect(await read(here)).toMatchObject({ workspace: { slug: 'acme' }, role: 'manager' });
    expect(await read(manager)).toMatchObject({ workspace: { slug: 'acme' }, role: 'manager' });
    expect(await read(tabOf(manager, api.otherWorkspaceId.toUpperCase()))).toMatchObject({
      workspace: { slug: 'other' },
    });
    expect(
      await read(callBy((path) => manager.request(`${path}?workspace=${api.otherWorkspaceId}`))),
    ).toMatchObject({
      workspace: { slug: 'other' },
    });
  });

  test('reads and writes there alone', async () => {
    await here.post('/api/contacts', { name: 'Of Acme', phone: '+14155552601' });
    await there.post('/api/contacts', { name: 'Of the other', phone: '+14155552602' });
    expect(await namesOf(here)).toEqual(['Of Acme']);
    expect(await namesOf(manager)).toEqual(['Of Acme']);
    expect(await namesOf(there)).toContain('Of the other');
    expect(await namesOf(there)).not.toContain('Of Acme');
    const conversation = `/api/conversations/${foreign['conversationId']}`;
    expect((await there.get(conversation)).status).toBe(200);
    expect((await here.get(conversation)).status).toBe(404);
  });

  test('a name in the address is for what is read alone', async () => {
    const contact = { name: 'By address', phone: '+14155552603' };
    await manager.post(`/api/contacts?workspace=${api.otherWorkspaceId}`, contact);
    expect(await namesOf(there)).not.toContain('By address');
  });

  test('finds files there, by the name in their address', async () => {
    const file = `/api/media/${foreign['mediaId']}/content`;
    expect(await (await manager.get(`${file}?workspace=${api.otherWorkspaceId}`)).text()).toBe(ROW_MARK);
    expect((await manager.get(`${file}?workspace=${api.workspaceId}`)).status).toBe(404);
    expect((await manager.get(file)).status).toBe(404);
    // A browser that keeps it for one workspace asks again in another.
    expect((await there.get(file)).headers.get('vary')).toContain('x-workspace');
  });

  test('a key of an act is of the workspace: the same one acts once in each', async () => {
    const key = crypto.randomUUID();
    const contact = { name: 'Twice', phone: '+14155552604' };
    const answers = [];
    for (const tab of [here, there, here, there])
      answers.push(await (await tab.post('/api/contacts', contact, key)).json<{ id: string }>());
    const [first, second, third, fourth] = answers.map(({ id }) => id);
    expect([third, fourth]).toEqual([first, second]);
    expect(first).not.toBe(second);
    for (const tab of [here, there])
      expect((await namesOf(tab)).filter((name) => name === 'Twice')).toHaveLength(1);
  });

  test('hears what happens there, until they are a member no more', async () => {
    const stream = await manager.get(`/api/events?workspace=${api.otherWorkspaceId}`);
    expect(stream.status).toBe(200);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader(); // an answer with 200 has one
    let heard = '';
    let isOver = false;
    const reading = (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        heard += value;
      }
      isOver = true;
    })();
    await here.post('/api/contacts', { name: 'Not heard', phone: '+14155552605' });
    const { id } = await (
      await there.post('/api/contacts', { name: 'Heard', phone: '+14155552606' })
    ).json<{ id: string }>();
    await expect.poll(() => heard).toContain(id);
    const ofAcme = await (
      await here.get('/api/contacts?search=Not%20heard')
    ).json<{ items: { id: string }[] }>();
    expect(heard).not.toContain(ofAcme.items[0]!.id); // made above
    expect(isOver).toBe(false);
    await leave();
    // What people of the workspace do is when the stream asks whether its caller is still one of them.
    const newcomer = { email: 'newcomer@other.test', role: 'agent' };
    await (await api.asOther()).post('/api/invitations', newcomer);
    await reading;
    expect(isOver).toBe(true);
  });
});

describe('a workspace that is not theirs, is not there or has no name that could be one', () => {
  const names = (): [string, string][] => [
    ['foreign', api.otherWorkspaceId],
    ['nowhere', newId()],
    ['no id', 'acme'],
    ['empty', ''],
    ['SQL', "' OR true --"],
  ];

  test('is refused alike, wherever it is named, and nothing is done', async () => {
    await leave();
    const before = await namesOf(here);
    const bodies = new Set<string>();
    for (const [, name] of names()) {
      const tab = tabOf(manager, name);
      const answers = [
        await tab.get('/api/session'),
        await tab.get('/api/contacts'),
        await tab.get('/api/events'),
        await tab.get(`/api/media/${foreign['mediaId']}/content`),
        await tab.post('/api/contacts', { name: 'Nowhere', phone: '+14155552607' }),
        await tab.post('/api/contacts', { name: 'x'.repeat(200_000) }),
        await manager.get(`/api/contacts?workspace=${encodeURIComponent(name)}`),
        await manager.get(`/api/events?workspace=${encodeURIComponent(name)}`),
      ];
      for (const answer of answers) {
        expect(answer.status, name).toBe(404);
        bodies.add(await answer.text());
      }
    }
    expect([...bodies]).toEqual([
      JSON.stringify({ error: { code: 'workspace_not_found', message: 'There is no such workspace.' } }),
    ]);
    expect(await namesOf(here)).toEqual(before);
    expect((await manager.get('/api/contacts')).status).toBe(200);
  });

  test('is nothing that a stranger hears of', async () => {
    const answer = await tabOf(api.stranger, api.otherWorkspaceId).get('/api/contacts');
    expect(answer.status).toBe(401);
    expect(await codeOf(answer)).toBe('signed_out');
  });

  test('neither ends nor keeps a session that goes on elsewhere', async () => {
    await leave();
    const refreshed = await there.post('/api/auth/refresh-session');
    expect(await codeOf(refreshed)).toBe('workspace_not_found');
    expect((await here.get('/api/session')).status).toBe(200);
  });

  test('keeps nobody from signing out', async () => {
    await leave();
    const leaving = await signIn(api.app, 'agent@acme.test');
    expect((await tabOf(leaving, api.otherWorkspaceId).post('/api/auth/sign-out')).status).toBe(200);
    expect((await leaving.get('/api/contacts')).status).toBe(401);
  });

  test('is none for a key, which is of one workspace', async () => {
    const { secret } = await makeApiKey(manager, { name: 'The shop', scopes: ['contacts:read'] });
    const program = callWithKey(api, secret);
    const statusIn = async (name: string) => (await tabOf(program, name).get('/api/contacts')).status;
    expect(await statusIn(api.workspaceId)).toBe(200);
    // Its owner is a member there.
    for (const name of [api.otherWorkspaceId, newId(), 'acme']) expect(await statusIn(name)).toBe(404);
    const named = await program.get(`/api/contacts?workspace=${api.otherWorkspaceId}`);
    expect(await codeOf(named)).toBe('workspace_not_found');
  });
});
