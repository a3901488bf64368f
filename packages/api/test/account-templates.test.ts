import { newId } from '@app/database/new-id';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from './api-fixture.ts';
import { createMemoryTemplatePlatform } from './memory-template-platform.ts';

type Item = { name: string; difference: string; parts: string[]; obstacle: string | null };

const platform = createMemoryTemplatePlatform();
let api: ApiFixture;
let admin: ApiCaller;

beforeAll(async () => {
  api = await openApiFixture({ templatePlatform: platform });
  admin = await api.as('admin');
  await api.addChannel();
  const add = (name: string, platformName: string | null) =>
    api.db.systemPool.query(
      `INSERT INTO templates (id, workspace_id, name, category, language, status, components, content, platform_name, platform_template_id, platform_status)
       VALUES ($1, $2, $3, 'promotion', 'en', 'approved', '[{"type":"body","text":"Hello {{name}}"}]', 'Hello {{name}}', $4, $4, 'APPROVED')`,
      [newId(), api.workspaceId, name, platformName],
    );
  await add('Same', 'same');
  await add('Other', 'other');
  await add('Gone', 'gone');
  const there = (name: string, changes: Partial<ChannelTemplate> = {}) =>
    platform.templates.set(name, {
      ...{ id: name, name, language: 'en', status: 'APPROVED', category: 'marketing', quality: 'GREEN' },
      ...{ rejectedReason: null, parameterFormat: 'named', header: null, body: 'Hello {{name}}' },
      ...{ footer: null, buttons: [], ...changes },
    });
  there('same');
  there('other', { body: 'Good day {{name}}' });
  there('new_one');
  there('new_two', { status: 'PAUSED' });
  there('hello_world', { language: 'en_US' });
});
afterAll(() => api.close());

const compare = async () => {
  const answer = await admin.get('/api/templates/account');
  const { items } = await answer.json<{ items: Item[] }>();
  return Object.fromEntries(
    items.map(({ name, difference, parts, obstacle }) => [
      name,
      obstacle ?? [difference, ...parts].join(' '),
    ]),
  );
};
const take = async (platformIds?: string[], caller = admin) =>
  (await caller.post('/api/templates/account/imports', { ...(platformIds && { platformIds }) })).json();

it('says how ours differ from the account’s, and takes over what is missing, once', async () => {
  expect(await compare()).toEqual({
    ...{ Same: 'none', Other: 'changed body', Gone: 'missing_there' },
    ...{ new_one: 'missing_here', new_two: 'missing_here', hello_world: 'language' },
  });
  const twice = await Promise.all([take(['new_one']), take(['new_one'])]);
  expect(twice).toContainEqual({ imported: 1, skipped: 0 });
  expect(twice).toContainEqual({ imported: 0, skipped: 1 });
  expect(await take()).toEqual({ imported: 1, skipped: 4 });
  expect(await compare()).toMatchObject({ new_one: 'none', new_two: 'none' });
  const list = await (await admin.get('/api/templates?limit=50')).json<{ items: object[] }>();
  expect(list.items).toContainEqual(
    expect.objectContaining({ name: 'new_one', standing: 'approved', isSendable: true, variables: ['name'] }),
  );
  expect(list.items).toContainEqual(expect.objectContaining({ name: 'new_two', isSendable: false }));
});

it('keeps how the last synchronisation went, with its reason', async () => {
  const sync = async () => (await admin.get('/api/templates/sync')).json();
  expect((await admin.post('/api/templates/sync', {})).status).toBe(200);
  expect(await sync()).toMatchObject({ state: 'done', reason: null });
  platform.isDown = true;
  expect((await admin.post('/api/templates/sync', {})).status).toBe(424);
  expect(await sync()).toMatchObject({ state: 'failed', reason: null });
  expect((await admin.get('/api/templates/account')).status).toBe(424);
  platform.isDown = false;
});

it('is asked by those alone who may look at settings', async () => {
  const agent = await api.as('agent');
  expect((await agent.get('/api/templates/account')).status).toBe(403);
  expect((await agent.post('/api/templates/account/imports', {})).status).toBe(403);
});
