import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

type QuickReply = { id: string; shortcut: string; version: number; isShared: boolean; used: number };

let api: ApiFixture;
let admin: ApiCaller;
let agent: ApiCaller;
let viewer: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  [admin, agent, viewer] = [await api.as('admin'), await api.as('agent'), await api.as('viewer')];
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM quick_replies'));

const reply = (of: object = {}) => ({
  shortcut: 'thanks',
  title: 'Thank you',
  text: 'Thanks, {{name}}!',
  ...of,
});
const codeOf = async (response: ApiResponse) =>
  (await response.json<{ error: { code: string } }>()).error.code;
const add = async (of: object = {}, caller = admin) => {
  const response = await caller.post('/api/quick-replies', reply(of));
  expect(response.status).toBe(200);
  return response.json<QuickReply>();
};
const list = async (search = '', caller = admin) =>
  (await (await caller.get(`/api/quick-replies${search}`)).json<{ items: QuickReply[] }>()).items.map(
    ({ shortcut }) => shortcut,
  );

describe('quick replies', () => {
  test('are found by what is in them, and those that are used most stand first', async () => {
    await add({ shortcut: '/Bye', title: 'Goodbye', text: 'See you', folder: ' Ends ' });
    const { id } = await add({ isShared: true });
    expect(await list()).toEqual(['bye', 'thanks']);
    expect((await admin.post(`/api/quick-replies/${id}/uses`)).status).toBe(200);
    expect(await list()).toEqual(['thanks', 'bye']);
    expect(await list('?search=SEE')).toEqual(['bye']);
    expect(await list('?search=%25')).toEqual([]);
    expect(await list('?folder=Ends')).toEqual(['bye']);
    expect(await list('?whose=own')).toEqual(['bye']);
    expect(await list('?whose=everybody')).toEqual(['thanks']);
  });

  test('of one person are nobody else’s, and may have the shortcut of another', async () => {
    const own = await add();
    await add({ isShared: true });
    await add({}, agent);
    expect(await list('', agent)).toEqual(['thanks', 'thanks']);
    expect((await agent.get(`/api/quick-replies/${own.id}`)).status).toBe(404);
    expect((await agent.delete(`/api/quick-replies/${own.id}`)).status).toBe(404);
    expect((await agent.put(`/api/quick-replies/${own.id}`, reply({ version: 1 }))).status).toBe(404);
    expect(await codeOf(await admin.post('/api/quick-replies', reply()))).toBe('quick_reply_taken');
  });

  test('change by version, and become everybody’s and one’s own again', async () => {
    const { id } = await add();
    const change = (of: object) => admin.put(`/api/quick-replies/${id}`, reply(of));
    const shared = await change({ version: 1, isShared: true, buttons: ['Yes', 'No'] });
    expect(await shared.json()).toMatchObject({ version: 2, isShared: true, buttons: ['Yes', 'No'] });
    expect(await codeOf(await change({ version: 1 }))).toBe('quick_reply_changed');
    await add({ shortcut: 'own' });
    expect(await codeOf(await change({ version: 2, shortcut: 'own' }))).toBe('quick_reply_taken');
    expect((await change({ version: 2, shortcut: 'other' })).status).toBe(200);
    expect((await admin.delete(`/api/quick-replies/${id}`)).status).toBe(200);
    expect((await admin.get(`/api/quick-replies/${id}`)).status).toBe(404);
  });

  test('of everybody are left to who may manage messages', async () => {
    const { id } = await add({ isShared: true });
    await api.db.systemPool.query(`UPDATE workspaces SET role_permissions = $1 WHERE id = $2`, [
      { agent: ['messages:read', 'messages:create'] },
      api.workspaceId,
    ]);
    const refused = [
      await agent.post('/api/quick-replies', reply({ shortcut: 'b', isShared: true })),
      await agent.put(`/api/quick-replies/${id}`, reply({ version: 1 })),
      await agent.delete(`/api/quick-replies/${id}`),
    ];
    await api.db.systemPool.query(`UPDATE workspaces SET role_permissions = '{}' WHERE id = $1`, [
      api.workspaceId,
    ]);
    for (const answer of refused)
      expect([answer.status, await codeOf(answer)]).toEqual([403, 'quick_reply_shared']);
    expect((await viewer.post('/api/quick-replies', reply({ shortcut: 'b' }))).status).toBe(403);
    expect(await list('', viewer)).toEqual(['thanks']);
  });

  test.each([
    ['no shortcut', { shortcut: ' / ' }],
    ['a stop in its shortcut', { shortcut: 'thank.you' }],
    ['a blank text', { text: ' \n ' }],
    ['a text that is too long', { text: 'x'.repeat(4097) }],
    ['a long text above buttons', { text: 'x'.repeat(1025), buttons: ['Yes'] }],
    ['four buttons', { buttons: ['1', '2', '3', '4'] }],
    ['two buttons of the same words', { buttons: ['Yes', 'yes'] }],
    ['a long button', { buttons: ['x'.repeat(21)] }],
    ['a language that there is not', { language: 'xx' }],
  ])('with %s are refused', async (_, of) => {
    const response = await admin.post('/api/quick-replies', reply(of));
    expect([response.status, await codeOf(response)]).toEqual([422, 'invalid_input']);
  });

  test('show a file, which stays while they do', async () => {
    const mediaId = newId();
    await api.db.systemPool.query(
      `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
         VALUES ($1, $2, 'menu.png', 'image', 'image/png', 4, 'f00d', $3)`,
      [mediaId, api.workspaceId, `files/${mediaId}`],
    );
    const { id } = await add({ text: '', mediaId });
    expect(await (await admin.get(`/api/quick-replies/${id}`)).json()).toMatchObject({
      media: { id: mediaId, name: 'menu.png', size: 4 },
    });
    expect(await codeOf(await admin.delete(`/api/media/${mediaId}`))).toBe('media_in_use');
    expect(
      await codeOf(await admin.post('/api/quick-replies', reply({ shortcut: 'b', mediaId: newId() }))),
    ).toBe('media_not_found');
  });

  test('go with whoever leaves, and are 500 at most', async () => {
    await api.db.systemPool.query(
      `INSERT INTO quick_replies (id, workspace_id, shortcut, title, body, created_at, updated_at)
         SELECT gen_random_uuid(), $1, 'r' || n, 't', 'b', now(), now() FROM generate_series(1, 500) n`,
      [api.workspaceId],
    );
    expect(await codeOf(await admin.post('/api/quick-replies', reply({ isShared: true })))).toBe(
      'quick_reply_limit',
    );
    expect((await admin.post('/api/quick-replies', reply())).status).toBe(200);
  });
});
