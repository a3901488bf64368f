import { template } from '@app/contracts/templates/templates-contract';
import { channels } from '@app/database/channels/channels-tables';
import { newId } from '@app/database/new-id';
import type { TemplateStatusChanged } from '@app/domain/messaging/inbound-event';
import type { Role } from '@app/domain/auth/permissions';
import { platformWords, standingOf } from '@app/domain/templates/platform-status';
import { templateStatuses } from '@app/domain/templates/template';
import type { z } from 'zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { changeAsSystem } from '../src/platform/system-work.ts';
import { applyTemplateEvent } from '../src/templates/apply-template-event.ts';
import { openApiFixture, sealTestChannel, type ApiCaller, type ApiFixture } from './api-fixture.ts';
import { createMemoryTemplatePlatform } from './memory-template-platform.ts';

const SANDBOX_URL = 'http://127.0.0.1:3010';
const platform = createMemoryTemplatePlatform();
let fixture: ApiFixture;
let admin: ApiCaller;

beforeAll(async () => {
  fixture = await openApiFixture({ templatePlatform: platform, sandboxUrl: SANDBOX_URL });
  admin = await fixture.as('admin');
});
afterAll(() => fixture.close());

beforeEach(async () => {
  platform.refuseWith = null;
  platform.refuseCode = null;
  platform.isDown = false;
  platform.templates.clear();
  await fixture.db.systemPool.query('DELETE FROM templates');
  await fixture.db.systemPool.query('DELETE FROM channels');
});

const body = (text: string) => ({ type: 'body', text });
const welcome = {
  name: 'Welcome Message',
  category: 'welcome',
  components: [body('Hello {{name}}, welcome to {{business}}. Ask for {{name}} any time.')],
};

type Template = z.infer<typeof template>;
type Page = { items: Template[]; nextCursor: string | null };

async function read<Json = Template>(response: Response | Promise<Response>): Promise<Json> {
  return (await (await response).json()) as Json; // what the contract promises, or a refusal that the test looks into
}

async function create(values: object = {}, caller = admin) {
  const response = await caller.post('/api/templates', { ...welcome, ...values });
  return { status: response.status, json: await read(response) };
}

async function connect(baseUrl: string) {
  const sealed = await sealTestChannel(fixture.parts.secrets, baseUrl);
  await fixture.db.inSystem((tx) =>
    tx.insert(channels).values({
      ...{ id: newId(), workspaceId: fixture.workspaceId, ...sealed, isConnected: true },
      ...{ displayName: '+44 7700 900100', messagesPerSecond: 80 },
    }),
  );
}
const connectSandbox = () => connect(`${SANDBOX_URL}/graph/v26.0`);
const connectPlatform = () => connect('https://graph.facebook.com/v26.0');

describe('a template', () => {
  it('leaves with what the contract names, and no other column', async () => {
    const { json } = await create();
    const named = Object.keys(template.shape).toSorted();
    const { items } = await read<Page>(admin.get('/api/templates'));
    const again = await read(admin.get(`/api/templates/${json.id}`));
    for (const one of [json, ...items, again]) expect(Object.keys(one).toSorted()).toEqual(named);
  });

  it('is created as a draft with the variables of its body, each once', async () => {
    const { status, json } = await create();
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...{ status: 'draft', language: 'en', variables: ['name', 'business'], version: 1, isSendable: false },
      ...{ content: welcome.components[0]?.text, platform: null, updatedAt: null },
    });
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toEqual(json);
  });

  it('keeps the status that was chosen while nothing is connected', async () => {
    for (const status of ['draft', 'pending', 'approved', 'rejected']) {
      expect((await create({ status })).json).toMatchObject({ status, isSendable: status === 'approved' });
    }
    expect(await (await admin.get('/api/templates/summary')).json()).toEqual({
      ...{ total: 4, approved: 1, pending: 1, draft: 1, rejected: 1 },
    });
    // What leaves rows out of the list leaves them out of its figures.
    await create({ status: 'draft', category: 'promotion' });
    const only = await read<object>(admin.get('/api/templates/summary?category=promotion'));
    expect(only).toEqual({ total: 1, approved: 0, pending: 0, draft: 1, rejected: 0 });
  });

  it('counts in figures and lists for what it is sent as, whatever the status and the platform say', async () => {
    const { json } = await create();
    const words = [null, ...Object.keys(platformWords), 'approved', 'FLAGGED', 'new'];
    const pairs = templateStatuses.flatMap((status) => words.map((word) => ({ status, word })));
    await fixture.db.systemPool.query(
      `
        INSERT INTO templates (id, workspace_id, name, status, platform_name, platform_status, components, content)
        SELECT gen_random_uuid(), t.workspace_id, 'pair', p.status, 'pair_' || row_number() OVER (), p.word, t.components, t.content
          FROM templates t, jsonb_to_recordset($2::jsonb) AS p (status text, word text)
         WHERE t.id = $1`,
      [json.id, JSON.stringify(pairs)],
    );
    await admin.delete(`/api/templates/${json.id}`);
    const summary = await read<Record<string, number>>(admin.get('/api/templates/summary'));
    expect(summary['total']).toBe(pairs.length);
    for (const standing of templateStatuses) {
      const { items } = await read<Page>(admin.get(`/api/templates?limit=200&status=${standing}`));
      const key = ({ status, word }: { status: string; word: string | null }) => `${status} ${word}`;
      const expected = pairs.filter(({ status, word }) => standingOf(status, word, 'reviewed') === standing);
      expect(items.map((item) => key({ ...item, word: item.platform?.status ?? null })).toSorted()).toEqual(
        expected.map(key).toSorted(),
      );
      expect(summary[standing]).toBe(expected.length);
      for (const item of items) expect(item).toMatchObject({ standing, isSendable: standing === 'approved' });
    }
  });

  it('drops parts without text, buttons and media', async () => {
    const { json } = await create({
      components: [
        { type: 'header', format: 'text', text: ' ' },
        { type: 'header', format: 'image', media: null },
        body('Hi'),
        { type: 'footer', text: '' },
        { type: 'button', buttons: [{ type: 'url', text: '', url: '' }] },
      ],
    });
    expect(json.components).toEqual([body('Hi')]);
  });

  it.each([
    ['no name', { name: '  ' }, 'name', 'name_missing'],
    ['no body', { components: [{ type: 'footer', text: 'x' }] }, 'body', 'body_missing'],
    ['an empty body', { components: [body(' \n')] }, 'body', 'body_missing'],
    ['two bodies', { components: [body('a'), body('b')] }, 'body', 'component_repeated'],
    ['a long body', { components: [body('x'.repeat(1025))] }, 'body', 'text_too_long'],
    ['four buttons', { components: [body('a'), buttons(4)] }, 'buttons', 'too_many_buttons'],
    [
      'a script as address',
      { components: [body('a'), linkTo('javascript:alert(1)')] },
      'buttons.0.url',
      'url_invalid',
    ],
  ])('is refused with %s', async (_case, values, field, problem) => {
    const { status, json } = await create(values);
    expect(status).toBe(422);
    expect(json).toMatchObject({
      error: { code: 'template_invalid', details: { field, values: { problem } } },
    });
    expect((await read<Page>(admin.get('/api/templates'))).items).toEqual([]);
  });

  it.each([
    ['an unknown field', { isAdmin: true }],
    ['an unknown category', { category: 'spam' }],
    ['an object as name', { name: { $gt: '' } }],
    [
      'a button of another kind',
      { components: [body('a'), { type: 'button', buttons: [{ type: 'script', text: 'x' }] }] },
    ],
  ])('is refused with %s', async (_case, values) => {
    expect((await create(values)).status).toBe(422);
  });

  it('changes only in the fields that are given, and only from the version that was read', async () => {
    const { json: old } = await create({ status: 'approved' });
    const path = `/api/templates/${old.id}`;
    const renamed = await (await admin.patch(path, { version: 1, name: 'Hello' })).json();
    expect(renamed).toMatchObject({
      name: 'Hello',
      status: 'approved',
      components: old.components,
      version: 2,
    });
    const late = await admin.patch(path, { version: 1, name: 'Overwritten' });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { code: 'template_changed' } });
    expect(await (await admin.get(path)).json()).toMatchObject({ name: 'Hello' });
    expect((await admin.patch(path, { version: 2, workspaceId: fixture.otherWorkspaceId })).status).toBe(422);
    expect((await admin.patch(path, { version: '1abc', name: 'x' })).status).toBe(422);
  });

  it('is deleted, but not while a campaign still needs it', async () => {
    const { json } = await create({ status: 'approved' });
    await fixture.db.systemPool.query(
      `INSERT INTO campaigns (id, workspace_id, name, template_id, status, scheduled_at)
       VALUES ($1, $2, 'Spring sale', $3, 'scheduled', now())`,
      [newId(), fixture.workspaceId, json.id],
    );
    const refused = await admin.delete(`/api/templates/${json.id}`);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      error: { code: 'template_in_use', details: { values: { campaign: 'Spring sale' } } },
    });
    await fixture.db.systemPool.query('DELETE FROM campaigns');
    expect((await admin.delete(`/api/templates/${json.id}`)).status).toBe(200);
    expect((await admin.get(`/api/templates/${json.id}`)).status).toBe(404);
  });

  it('is deleted, but not while a campaign needs it as the language of some', async () => {
    const [english, german, other] = await Promise.all([
      create({ language: 'en' }),
      create({ language: 'de' }),
      create({ name: 'Other', language: 'de' }),
    ]);
    const add = (inContactLanguage: boolean) =>
      fixture.db.systemPool.query(
        `INSERT INTO campaigns (id, workspace_id, name, template_id, status, scheduled_at, in_contact_language)
         VALUES ($1, $2, 'Spring sale', $3, 'scheduled', now(), $4)`,
        [newId(), fixture.workspaceId, english.json.id, inContactLanguage],
      );
    await add(true);
    expect((await admin.delete(`/api/templates/${german.json.id}`)).status).toBe(409);
    expect((await admin.delete(`/api/templates/${other.json.id}`)).status).toBe(200);
    await fixture.db.systemPool.query('DELETE FROM campaigns');
    await add(false);
    expect((await admin.delete(`/api/templates/${german.json.id}`)).status).toBe(200);
    await fixture.db.systemPool.query('DELETE FROM campaigns');
  });

  it('stays inside its workspace', async () => {
    const { json } = await create();
    const other = await fixture.asOther();
    expect((await other.get(`/api/templates/${json.id}`)).status).toBe(404);
    expect((await other.patch(`/api/templates/${json.id}`, { version: 1, name: 'x' })).status).toBe(404);
    expect((await other.post(`/api/templates/${json.id}/submit`, { version: 1 })).status).toBe(404);
    expect((await other.delete(`/api/templates/${json.id}`)).status).toBe(404);
    expect((await read<Page>(other.get('/api/templates'))).items).toEqual([]);
    expect((await admin.get(`/api/templates/${json.id}`)).status).toBe(200);
  });
});

describe('the list', () => {
  it('is searched by name or content, filtered and paged', async () => {
    await create({ name: 'Sale 50%', category: 'promotion', components: [body('Half price')] });
    await create({
      name: 'Order',
      category: 'utility',
      status: 'approved',
      components: [body('Your SALE parcel')],
    });
    await create({ name: 'Other', components: [body('Nothing')] });
    const list = async (query: string) => (await read<Page>(admin.get(`/api/templates?${query}`))).items;
    const names = async (query: string) => (await list(query)).map(({ name }) => name);
    expect(await names('search=sale')).toEqual(['Order', 'Sale 50%']);
    expect(await names('search=50%25')).toEqual(['Sale 50%']);
    expect(await names('search=%25')).toEqual(['Sale 50%']);
    expect(await names('search=sale&status=approved')).toEqual(['Order']);
    expect(await names('category=welcome')).toEqual(['Other']);
    expect(await names('sort=name')).toEqual(['Order', 'Other', 'Sale 50%']);
    expect((await admin.get('/api/templates?status=nonsense')).status).toBe(422);
    expect(
      (await admin.get(`/api/templates?sort=${encodeURIComponent('name; DROP TABLE templates')}`)).status,
    ).toBe(422);
  });

  longTest.each(['newest', 'oldest', 'name'])(
    'sorted by %s shows each template once over all pages',
    async (sort) => {
      for (let index = 0; index < 7; index += 1) await create({ name: `Same ${index % 2}` });
      const seen: string[] = [];
      let cursor = '';
      do {
        const query = cursor && `&cursor=${encodeURIComponent(cursor)}`;
        const page: Page = await read(admin.get(`/api/templates?limit=3&sort=${sort}${query}`));
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? '';
      } while (cursor);
      expect(new Set(seen).size).toBe(7);
      expect(seen).toHaveLength(7);
      expect((await admin.get('/api/templates?cursor=garbage')).status).toBe(200);
    },
  );
});

describe('the list of names', () => {
  const languages = ['en', 'de', 'en_US'];
  const pages = async (query: string) => {
    const seen: string[][] = [];
    let cursor = '';
    do {
      const after = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page = await read(admin.get(`/api/templates?together=yes&limit=2&${query}${after}`));
      seen.push(page.items.map(({ name, language }) => `${name} ${language}`));
      cursor = page.nextCursor ?? '';
    } while (cursor);
    return seen;
  };
  // Their languages come by turns, so that a page of single templates would take them apart.
  const add = async () => {
    for (const language of languages)
      for (const name of ['C', 'A', 'B'])
        await create({ name, language, ...(language === 'de' && { status: 'approved' }) });
  };
  const whole = (...names: string[]) =>
    names.flatMap((name) => languages.map((language) => `${name} ${language}`));

  longTest.each([
    ['sort=name', [whole('A', 'B'), whole('C')]],
    ['sort=newest', [whole('B', 'A'), whole('C')]],
    ['sort=oldest', [whole('C', 'A'), whole('B')]],
    ['sort=name&status=approved', [['A de', 'B de'], ['C de']]],
    ['search=nowhere', [[]]],
    ['name=A', [whole('A')]],
    ['name=a', [[]]],
  ])('%s takes no template apart', async (query, expected) => {
    await add();
    expect(await pages(query)).toEqual(expected);
  });

  it('is of one workspace, and begins anew where a cursor means nothing', async () => {
    await add();
    const other = await fixture.asOther();
    expect((await read<Page>(other.get('/api/templates?together=yes'))).items).toEqual([]);
    for (const sort of ['name', 'newest'])
      expect((await admin.get(`/api/templates?together=yes&sort=${sort}&cursor=garbage`)).status).toBe(200);
  });
});

describe('roles', () => {
  const matrix: Record<Role, { read: number; create: number; update: number; delete: number }> = {
    admin: { read: 200, create: 200, update: 200, delete: 200 },
    manager: { read: 200, create: 200, update: 200, delete: 200 },
    agent: { read: 200, create: 200, update: 403, delete: 403 },
    viewer: { read: 200, create: 403, update: 403, delete: 403 },
  };
  longTest.each(Object.entries(matrix))('%s may do what the matrix says', async (role, allowed) => {
    const caller = await fixture.as(role as Role); // keys of the matrix
    const { json } = await create();
    expect((await caller.get('/api/templates')).status).toBe(allowed.read);
    expect((await caller.get('/api/templates/summary')).status).toBe(allowed.read);
    expect((await caller.get(`/api/templates/${json.id}`)).status).toBe(allowed.read);
    expect((await create({}, caller)).status).toBe(allowed.create);
    expect((await caller.patch(`/api/templates/${json.id}`, { version: 1, name: 'x' })).status).toBe(
      allowed.update,
    );
    const connected = allowed.update === 200 ? 409 : 403;
    expect((await caller.post(`/api/templates/${json.id}/submit`, { version: 2 })).status).toBe(connected);
    expect((await caller.post('/api/templates/sync', {})).status).toBe(connected);
    expect((await caller.delete(`/api/templates/${json.id}`)).status).toBe(allowed.delete);
    expect((await caller.get('/api/channels')).status).toBe(200);
    expect((await caller.post(`/api/channels/${newId()}/resume`, {})).status).toBe(
      role === 'admin' ? 404 : 403,
    );
  });

  it('are needed at all', async () => {
    expect((await fixture.stranger.get('/api/templates')).status).toBe(401);
    expect((await fixture.stranger.post('/api/templates', welcome)).status).toBe(401);
    expect((await fixture.stranger.get('/api/channels')).status).toBe(401);
  });
});

describe('connected to the sandbox', () => {
  beforeEach(connectSandbox);

  it('an approved template goes out for review at once and may be sent when the platform approves it', async () => {
    const { json } = await create({ status: 'approved' });
    expect(json).toMatchObject({
      status: 'approved',
      isSendable: false,
      platform: { name: 'welcome_message', status: 'PENDING' },
    });
    await review(json.id, 'APPROVED');
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({
      ...{ status: 'approved', isSendable: true, platform: { status: 'APPROVED' } },
    });
  });

  it('two templates of one name get two names on the platform, two languages share one', async () => {
    const first = await create({ status: 'approved' });
    const second = await create({ status: 'approved' });
    const spanish = await create({ status: 'approved', language: 'es' });
    expect([first, second, spanish].map(({ json }) => json.platform?.name)).toEqual([
      ...['welcome_message', 'welcome_message_2', 'welcome_message'],
    ]);
  });

  it('shows why the platform refused', async () => {
    platform.refuseWith = 'A variable stands at the very start or end of the text. Add text around it.';
    const { json } = await create({ status: 'approved' });
    expect(json).toMatchObject({ isSendable: false, rejectionReason: platform.refuseWith });
  });

  it.each([
    ['2388299', '2388299'],
    ['777', null],
  ])('keeps the code %s of a refusal, as %s, by which its reader has words', async (subcode, code) => {
    platform.refuseWith = 'A variable stands at the very start or end of the text. Add text around it.';
    platform.refuseCode = subcode;
    const { json } = await create({ status: 'approved' });
    expect(json).toMatchObject({ rejection: { reason: null, code, text: platform.refuseWith } });
  });

  it('is saved also when the platform cannot be reached, and goes out with the next sync', async () => {
    platform.isDown = true;
    const { json } = await create({ status: 'approved' });
    expect(json).toMatchObject({ status: 'approved' });
    platform.isDown = false;
    expect(await (await admin.post('/api/templates/sync', {})).json()).toMatchObject({ submitted: 1 });
    expect(platform.templates.size).toBe(1);
    expect(await (await admin.post('/api/templates/sync', {})).json()).toMatchObject({ submitted: 0 });
  });

  it('is removed there too', async () => {
    const { json } = await create({ status: 'approved' });
    await admin.delete(`/api/templates/${json.id}`);
    expect(platform.templates.size).toBe(0);
  });
});

describe('connected to the real platform', () => {
  beforeEach(connectPlatform);

  it('the status comes from the platform', async () => {
    expect((await create({ status: 'approved' })).json).toMatchObject({
      error: { code: 'template_status_by_platform' },
    });
    const { json } = await create();
    const refused = await admin.patch(`/api/templates/${json.id}`, { version: 1, status: 'approved' });
    expect(refused.status).toBe(409);
    const submitted = await (await admin.post(`/api/templates/${json.id}/submit`, { version: 1 })).json();
    expect(submitted).toMatchObject({
      status: 'pending',
      isSendable: false,
      platform: { status: 'PENDING' },
    });
    await review(json.id, 'APPROVED');
    const approved = await (await admin.get(`/api/templates/${json.id}`)).json();
    expect(approved).toMatchObject({ status: 'approved', isSendable: true });
    await review(json.id, 'PAUSED');
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({ isSendable: false });
  });

  it('an approved template becomes a draft when its text changes, whatever the platform says of the old text', async () => {
    const { json } = await create();
    await admin.post(`/api/templates/${json.id}/submit`, { version: 1 });
    await review(json.id, 'APPROVED');
    const edited = await admin.patch(`/api/templates/${json.id}`, {
      version: 1,
      components: [body('New text')],
    });
    expect(await edited.json()).toMatchObject({ status: 'draft', isSendable: false });
    await review(json.id, 'APPROVED');
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({ status: 'draft' });
    expect((await admin.patch(`/api/templates/${json.id}`, { version: 2, language: 'de' })).status).toBe(409);
  });

  it('a rejection says why', async () => {
    const { json } = await create();
    await admin.post(`/api/templates/${json.id}/submit`, { version: 1 });
    await review(json.id, 'REJECTED', 'PROMOTIONAL');
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({
      ...{ status: 'rejected', rejectionReason: expect.stringContaining('promotional') },
      ...{ rejection: { reason: 'PROMOTIONAL', text: null }, whyNotSendable: 'rejected' },
    });
    await review(json.id, 'REJECTED', 'INVALID_FORMAT', 'Add a sample for {{1}}.');
    const rejection = { reason: 'INVALID_FORMAT', text: 'Add a sample for {{1}}.' };
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({ rejection });
    // The list of the account says the code alone: what was told with it stands.
    for (const there of platform.templates.values())
      platform.templates.set(there.id, { ...there, status: 'REJECTED', rejectedReason: 'INVALID_FORMAT' });
    expect((await admin.post('/api/templates/sync', {})).status).toBe(200);
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({ rejection });
    // Of an older version, which kept the text alone.
    await fixture.db.systemPool.query('UPDATE templates SET rejection_reason = NULL WHERE id = $1', [
      json.id,
    ]);
    expect((await admin.post('/api/templates/sync', {})).status).toBe(200);
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({ rejection });
    await review(json.id, 'APPROVED');
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({ rejection: null });
  });

  it('a refused or failed submission leaves the draft as it was', async () => {
    const { json } = await create();
    platform.refuseWith = 'The body of the template is not valid.';
    const refused = await admin.post(`/api/templates/${json.id}/submit`, { version: 1 });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      error: { code: 'template_refused', details: { values: { reason: platform.refuseWith } } },
    });
    platform.refuseWith = null;
    platform.isDown = true;
    expect((await admin.post(`/api/templates/${json.id}/submit`, { version: 1 })).status).toBe(424);
    expect(await (await admin.get(`/api/templates/${json.id}`)).json()).toMatchObject({ status: 'draft' });
  });

  it('what the platform tells of a status counts by its own time, in whichever order it arrives', async () => {
    const { json } = await create();
    await admin.post(`/api/templates/${json.id}/submit`, { version: 1 });
    const at = (minutes: number) => Date.now() + minutes * 60_000;
    const status = async () =>
      (await (await admin.get(`/api/templates/${json.id}`)).json<{ status: string }>()).status;
    await tellStatus(json.id, { status: 'REJECTED', reason: 'INVALID_FORMAT', occurredAt: at(-1) });
    await tellStatus(json.id, { status: 'APPROVED', occurredAt: at(-60) });
    expect(await status()).toBe('rejected');
    await tellStatus(json.id, { status: 'APPROVED', occurredAt: at(0) });
    expect(await status()).toBe('approved');
  });

  it('a submission that breaks off leaves the draft as it was, and it can be submitted again', async () => {
    const { json } = await create();
    const { submit } = platform;
    platform.submit = () => Promise.reject(new Error('the connection to the store of files broke'));
    expect((await admin.post(`/api/templates/${json.id}/submit`, { version: 1 })).status).toBe(500);
    platform.submit = submit;
    expect(await statusOf(json.id)).toBe('draft');
    expect((await admin.post(`/api/templates/${json.id}/submit`, { version: 1 })).status).toBe(200);
  });

  it('a sync lets go of a submission whose process died, and of no other', async () => {
    const [died, alive] = [await create(), await create({ language: 'es' })];
    for (const [id, age] of [
      [died.json.id, '11 minutes'],
      [alive.json.id, '1 minute'],
    ])
      await fixture.db.systemPool.query(
        `UPDATE templates SET status = 'pending', platform_status = 'PENDING', platform_name = 'welcome_message',
                submitted_at = now() - $2::interval WHERE id = $1`,
        [id, age],
      );
    expect(await (await admin.post('/api/templates/sync', {})).json()).toMatchObject({ changed: 1 });
    expect(await Promise.all([died, alive].map(({ json }) => statusOf(json.id)))).toEqual([
      ...['draft', 'pending'],
    ]);
    expect((await admin.post(`/api/templates/${died.json.id}/submit`, { version: 1 })).status).toBe(200);
  });

  it('a sync changes nothing that was submitted or told while it asked the platform', async () => {
    const [submitted, told] = [await create(), await create({ language: 'es' })];
    await admin.post(`/api/templates/${told.json.id}/submit`, { version: 1 });
    const { list } = platform;
    platform.list = async (channelId) => {
      const answer = await list(channelId);
      const copy = structuredClone(answer);
      await admin.post(`/api/templates/${submitted.json.id}/submit`, { version: 1 });
      await review(told.json.id, 'APPROVED');
      return copy;
    };
    expect(await (await admin.post('/api/templates/sync', {})).json()).toMatchObject({ changed: 0 });
    platform.list = list;
    expect(await Promise.all([submitted, told].map(({ json }) => statusOf(json.id)))).toEqual([
      ...['pending', 'approved'],
    ]);
  });
});

const statusOf = async (id: string) => (await read(admin.get(`/api/templates/${id}`))).status;

describe('the connection', () => {
  it('is told without secrets, and a stopped number is let go on', async () => {
    expect(await read(admin.get('/api/channels'))).toEqual({ items: [], nextCursor: null });
    await connectSandbox();
    await fixture.db.systemPool.query(
      `UPDATE channels SET stopped_code = '190', stopped_for = 'everything', stopped_reason = 'Token expired'`,
    );
    const viewer = await fixture.as('viewer');
    const { items } = await read<{ items: { id: string }[] }>(viewer.get('/api/channels'));
    expect(items).toEqual([
      {
        ...{
          id: expect.any(String),
          kind: 'whatsapp',
          isSender: true,
          isDefault: true,
          connection: 'sandbox',
        },
        displayName: '+44 7700 900100',
        stopped: { code: '190', reason: 'Token expired', blocks: 'everything' },
        ...{ messagesPerSecond: 80, lastSyncAt: null },
        capabilities: expect.objectContaining({
          ...{ templates: 'reviewed', freeTextHours: 24, longestText: 4096, textStyles: true, quotes: true },
          replyButtons: { most: 3, longestTitle: 20, longestBody: 1024 },
        }),
      },
    ]);
    expect(await (await admin.post(`/api/channels/${items[0]?.id}/resume`, {})).json()).toMatchObject({
      stopped: null,
    });
  });
});

const review = (
  templateId: string,
  status: string,
  reason: string | null = null,
  recommendation: string | null = null,
) => tellStatus(templateId, { status, reason, recommendation });

async function tellStatus(
  templateId: string,
  told: Partial<TemplateStatusChanged> & Pick<TemplateStatusChanged, 'status'>,
) {
  const { rows } = await fixture.db.systemPool.query('SELECT * FROM templates WHERE id = $1', [templateId]);
  const event: TemplateStatusChanged = {
    ...{
      type: 'template_status_changed',
      dedupKey: newId(),
      occurredAt: 0,
      account: '1',
      address: null,
      raw: {},
    },
    ...{ templateId: rows[0].platform_template_id, templateName: rows[0].platform_name, language: 'en' },
    ...{ reason: null, recommendation: null, category: null, ...told },
  };
  const logger = { info() {}, warn() {}, error() {} };
  const { db, facts, workspaceId } = fixture;
  await changeAsSystem({ db, facts, logger, clock: () => new Date() }, 'webhooks', workspaceId, (scope) =>
    applyTemplateEvent(scope, event),
  );
}

function buttons(count: number) {
  return {
    type: 'button',
    buttons: Array.from({ length: count }, (_, index) => ({ type: 'quick_reply', text: `B${index}` })),
  };
}

function linkTo(url: string) {
  return { type: 'button', buttons: [{ type: 'url', text: 'Go', url }] };
}
