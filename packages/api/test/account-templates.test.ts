import { newId } from '@app/database/new-id';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from './api-fixture.ts';
import { createMemoryTemplatePlatform } from './memory-template-platform.ts';

type Item = {
  name: string;
  language: string;
  difference: string;
  parts: string[];
  needsFile: boolean;
  obstacle: string | null;
};
type Template = {
  id: string;
  name: string;
  language: string;
  version: number;
  whyNotSendable: string | null;
  components: object[];
};

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
  there('hello_britain', { name: 'hello_world', language: 'en_GB' });
  there('same_de', { name: 'same', language: 'de' });
  there('picture', { header: { format: 'image' } });
  there('form', { buttons: [{ type: 'other', vendorType: 'FLOW', text: 'Begin' }] });
});
afterAll(() => api.close());

const compare = async () => {
  const answer = await admin.get('/api/templates/account');
  const { items } = await answer.json<{ items: Item[] }>();
  return Object.fromEntries(
    items.map(({ name, language, difference, parts, obstacle, needsFile }) => [
      language === 'en' ? name : `${name} ${language}`,
      obstacle ?? [difference, ...parts, ...(needsFile ? ['needs its file'] : [])].join(' '),
    ]),
  );
};
const take = async (platformIds?: string[], caller = admin) =>
  (await caller.post('/api/templates/account/imports', { ...(platformIds && { platformIds }) })).json();

it('says how ours differ from the account’s, and takes over what is missing, once', async () => {
  expect(await compare()).toEqual({
    ...{ Same: 'none', Other: 'changed body', Gone: 'missing_there' },
    ...{ new_one: 'missing_here', new_two: 'missing_here', form: 'part' },
    ...{ 'hello_world en_US': 'missing_here', 'hello_world en_GB': 'missing_here' },
    ...{ 'same de': 'missing_here', picture: 'missing_here needs its file' },
  });
  const twice = await Promise.all([take(['new_one']), take(['new_one'])]);
  expect(twice).toContainEqual({ imported: 1, skipped: 0 });
  expect(twice).toContainEqual({ imported: 0, skipped: 1 });
  expect(await take()).toEqual({ imported: 5, skipped: 4 });
  expect(await compare()).toMatchObject({ new_one: 'none', new_two: 'none' });
  const list = await (await admin.get('/api/templates?limit=50')).json<{ items: object[] }>();
  expect(list.items).toContainEqual(
    expect.objectContaining({ name: 'new_one', standing: 'approved', isSendable: true, variables: ['name'] }),
  );
  expect(list.items).toContainEqual(
    expect.objectContaining({ name: 'new_two', isSendable: false, whyNotSendable: 'paused' }),
  );
});

it('keeps the locale of each, and puts a further language under the name that ours has', async () => {
  const named = async (name: string) => {
    const answer = await (await admin.get(`/api/templates?name=${name}`)).json<{ items: Template[] }>();
    return answer.items.map(({ language }) => language).toSorted();
  };
  expect(await named('hello_world')).toEqual(['en_GB', 'en_US']);
  expect(await named('Same')).toEqual(['de', 'en']);
  expect(await named('same')).toEqual([]);
  const query = '/api/templates?language=en-US&search=hello';
  const { items } = await (await admin.get(query)).json<{ items: Template[] }>();
  expect(items.map(({ language }) => language)).toEqual(['en_US']);
  const [american] = items;
  const renamed = await admin.patch(`/api/templates/${american?.id}`, { version: 1, language: 'en_US' });
  expect(renamed.status).toBe(200);
  expect(
    (await admin.patch(`/api/templates/${american?.id}`, { version: 2, language: 'en_GB' })).status,
  ).toBe(409);
});

it('takes one whose header shows a file, which can be sent once somebody chose it, and stays approved', async () => {
  const [taken] = (await (await admin.get('/api/templates?name=picture')).json<{ items: Template[] }>())
    .items;
  expect(taken).toMatchObject({ standing: 'approved', whyNotSendable: 'header_file_missing' });
  if (!taken) throw new Error('It was not taken over.');
  const path = `/api/templates/${taken.id}`;
  const change = async (values: object) => (await admin.patch(path, values)).json<Template>();
  // What is saved before that keeps the header, which is part of what was approved.
  const renamed = await change({ version: 1, name: 'With picture', components: taken.components });
  expect(renamed).toMatchObject({ name: 'With picture', status: 'approved', components: taken.components });
  const [header = {}, body = {}] = taken.components;
  const mediaId = await addPicture();
  platform.isDown = true;
  const media = { id: mediaId, name: 'a.png', size: 3 };
  const waiting = await change({ version: 2, components: [{ ...header, media }, body] });
  expect(waiting).toMatchObject({ status: 'approved', whyNotSendable: 'header_file_waiting' });
  platform.isDown = false;
  expect((await admin.post('/api/templates/sync', {})).status).toBe(200);
  expect(await (await admin.get(path)).json()).toMatchObject({ isSendable: true, whyNotSendable: null });
  const other = { ...media, id: await addPicture() };
  const exchanged = await change({ version: 3, components: [{ ...header, media: other }, body] });
  expect(exchanged).toMatchObject({ status: 'approved', isSendable: true });
  const reworded = await change({
    version: 4,
    components: [
      { ...header, media: other },
      { ...body, text: 'New' },
    ],
  });
  expect(reworded).toMatchObject({ status: 'draft', whyNotSendable: 'draft' });
});

async function addPicture(): Promise<string> {
  const id = newId();
  await api.parts.mediaStore.put(id, new Uint8Array([1, 2, 3]));
  await api.db.systemPool.query(
    `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
     VALUES ($1, $2, 'a.png', 'image', 'image/png', 3, 'x', $3)`,
    [id, api.workspaceId, id],
  );
  return id;
}

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
