import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { roles } from '@app/domain/auth/permissions';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Contact = {
  id: string;
  name: string;
  phone: string;
  email: string | null;
  tags: string[];
  status: string;
  version: number;
};
type Page = { items: Contact[]; nextCursor: string | null };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

async function add(fields: Partial<Contact> & { name: string; phone: string }): Promise<Contact> {
  const response = await admin.post('/api/contacts', fields);
  expect(response.status).toBe(200);
  return response.json<Contact>();
}

async function list(query = ''): Promise<Page> {
  const response = await admin.get(`/api/contacts${query}`);
  expect(response.status).toBe(200);
  return response.json<Page>();
}

const namesOf = ({ items }: Page) => items.map(({ name }) => name);

describe('adding a contact', () => {
  test('keeps the number as E.164, drops empty tags and ignores doubled ones', async () => {
    const contact = await add({
      name: '  Ann   Lee ',
      phone: '+44 7700 900123',
      email: 'ann@example.com',
      tags: ['vip', ' ', 'VIP', 'new'],
    });
    expect(contact).toMatchObject({
      name: 'Ann Lee',
      phone: '+447700900123',
      email: 'ann@example.com',
      tags: ['vip', 'new'],
      status: 'active',
      version: 1,
    });
  });

  test('refuses a number that no country has, at the phone field', async () => {
    const response = await admin.post('/api/contacts', { name: 'Ann', phone: '+999 1234567' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { code: 'contact_phone_invalid', details: { field: 'phone' } },
    });
  });

  test('refuses a second contact with the same number, however it is written', async () => {
    const { id: contactId } = await add({ name: 'Ann', phone: '+14155552671' });
    const response = await admin.post('/api/contacts', { name: 'Bob', phone: '+1 (415) 555-2671' });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      error: { code: 'contact_phone_taken', details: { field: 'phone', values: { contactId } } },
    });
  });

  test.each([
    ['no name', { name: ' ', phone: '+14155552671' }, 'name'],
    ['no phone', { name: 'Ann', phone: '' }, 'phone'],
    ['an odd e-mail address', { name: 'Ann', phone: '+14155552671', email: 'nowhere' }, 'email'],
    ['an unknown status', { name: 'Ann', phone: '+14155552671', status: 'paused' }, 'status'],
    ['an array for a name', { name: ['Ann'], phone: '+14155552671' }, 'name'],
    ['an unknown field', { name: 'Ann', phone: '+14155552671', isAdmin: true }, ''],
  ])('refuses %s', async (_, body, field) => {
    const response = await admin.post('/api/contacts', body);
    expect(response.status).toBe(422);
    const { error } = await response.json<{ error: { details: { issues: { field: string }[] } } }>();
    expect(error.details.issues[0]?.field).toBe(field);
  });
});

describe('changing a contact', () => {
  test('touches the given fields alone', async () => {
    const { id } = await add({ name: 'Ann', phone: '+14155552671', email: 'ann@example.com', tags: ['vip'] });
    const response = await admin.patch(`/api/contacts/${id}`, { version: 1, status: 'blocked' });
    expect(await response.json()).toMatchObject({
      name: 'Ann',
      email: 'ann@example.com',
      tags: ['vip'],
      status: 'blocked',
      version: 2,
    });
  });

  test('tells the second of two people who edit at once, and overwrites nothing', async () => {
    const { id } = await add({ name: 'Ann', phone: '+14155552671' });
    const answers = await Promise.all(
      ['Anna', 'Anne'].map((name) => admin.patch(`/api/contacts/${id}`, { version: 1, name })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ error: { code: 'contact_changed' } });
    expect((await (await admin.get(`/api/contacts/${id}`)).json<Contact>()).version).toBe(2);
  });

  test('refuses a number that another contact has', async () => {
    await add({ name: 'Ann', phone: '+14155552671' });
    const { id } = await add({ name: 'Bob', phone: '+14155552672' });
    const response = await admin.patch(`/api/contacts/${id}`, { version: 1, phone: '+14155552671' });
    expect(await response.json()).toMatchObject({ error: { code: 'contact_phone_taken' } });
  });

  test('answers 404 for ids that are none', async () => {
    const response = await admin.patch('/api/contacts/1abc', { version: 1, name: 'X' });
    expect(response.status).toBe(422);
    const missing = await admin.patch('/api/contacts/0197a0a0-0000-7000-8000-000000000000', { version: 1 });
    expect(missing.status).toBe(404);
  });
});

describe('deleting a contact', () => {
  test('can be taken back, with everything it had', async () => {
    const ann = await add({ name: 'Ann', phone: '+14155552671', tags: ['vip'] });
    expect((await admin.delete(`/api/contacts/${ann.id}`)).status).toBe(200);
    expect((await admin.get(`/api/contacts/${ann.id}`)).status).toBe(404);
    const restored = await admin.post(`/api/contacts/${ann.id}/restore`);
    expect(await restored.json()).toEqual(ann);
    expect(await list()).toMatchObject({ items: [{ id: ann.id }] });
  });

  test('cannot be taken back while another contact has the number', async () => {
    const ann = await add({ name: 'Ann', phone: '+14155552671' });
    await admin.delete(`/api/contacts/${ann.id}`);
    const bob = await add({ name: 'Bob', phone: '+14155552671' });
    expect((await admin.post(`/api/contacts/${ann.id}/restore`)).status).toBe(409);
    await admin.delete(`/api/contacts/${bob.id}`);
    expect((await admin.post(`/api/contacts/${ann.id}/restore`)).status).toBe(200);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await add({ name: 'Ann Lee', phone: '+447700900001', email: 'ann@shop.example', tags: ['vip', 'new'] });
    await add({ name: 'Émile Zola', phone: '+33612345678', tags: ['vip'], status: 'blocked' });
    await add({ name: 'Bob 100%_sure', phone: '+14155552671' });
  });

  longTest.each([
    ['?search=LEE', ['Ann Lee']],
    ['?search=ann@SHOP', ['Ann Lee']],
    ['?search=7700900', ['Ann Lee']],
    [`?search=${encodeURIComponent('+44 7700 900')}`, ['Ann Lee']],
    [`?search=${encodeURIComponent('07700 900')}`, ['Ann Lee']],
    [`?search=${encodeURIComponent('0044 (0)7700-900')}`, ['Ann Lee']],
    [`?search=${encodeURIComponent('éMI')}`, ['Émile Zola']],
    ['?search=%25_', ['Bob 100%_sure']],
    ['?search=b', ['Bob 100%_sure']],
    [`?search=${encodeURIComponent("' OR 1=1 --")}`, []],
    ['?tag=vip', ['Émile Zola', 'Ann Lee']],
    ['?tag=vip&status=active', ['Ann Lee']],
    ['?status=blocked', ['Émile Zola']],
    ['?sort=name', ['Ann Lee', 'Bob 100%_sure', 'Émile Zola']],
    ['?sort=oldest', ['Ann Lee', 'Émile Zola', 'Bob 100%_sure']],
    ['?search=&tag=&status=', ['Bob 100%_sure', 'Émile Zola', 'Ann Lee']],
  ])('%s', async (query, names) => {
    expect(namesOf(await list(query))).toEqual(names);
  });

  longTest.each(['newest', 'oldest', 'name', 'name_desc', 'last_message'])(
    'pages by %s show each contact once',
    async (sort) => {
      const seen: string[] = [];
      let cursor: string | null = '';
      do {
        const page: Page = await list(`?limit=1&sort=${sort}&cursor=${cursor}`);
        seen.push(...namesOf(page));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toHaveLength(3);
      expect(new Set(seen).size).toBe(3);
    },
  );

  test('a cursor that was not made here begins the list anew; an unknown order is refused', async () => {
    expect(await list('?cursor=WyJ4IiwieSJd')).toMatchObject({ items: { length: 3 } });
    expect((await admin.get('/api/contacts?sort=name;DROP')).status).toBe(422);
    expect((await admin.get('/api/contacts?status=anything')).status).toBe(422);
  });

  test('the summary follows every change', async () => {
    const summary = async () => (await admin.get('/api/contacts/summary')).json();
    expect(await summary()).toEqual({ total: 3, active: 2, optedOut: 0, blocked: 1, tags: 2 });
    const [bob] = (await list('?search=bob')).items;
    await admin.patch(`/api/contacts/${bob?.id}`, { version: 1, status: 'blocked', tags: ['late'] });
    expect(await summary()).toEqual({ total: 3, active: 1, optedOut: 0, blocked: 2, tags: 3 });
    await admin.delete(`/api/contacts/${bob?.id}`);
    expect(await summary()).toEqual({ total: 2, active: 1, optedOut: 0, blocked: 1, tags: 2 });
    const optOut = (at: string) =>
      api.db.systemPool.query(`UPDATE contacts SET opted_out_at = ${at} WHERE workspace_id = $1`, [
        api.workspaceId,
      ]);
    await optOut('now()');
    expect(await summary()).toEqual({ total: 2, active: 0, optedOut: 1, blocked: 1, tags: 2 });
    await optOut('NULL');
    await api.db.systemPool.query('SELECT fold_contact_counts($1)', [api.workspaceId]);
    expect(await summary()).toEqual({ total: 2, active: 1, optedOut: 0, blocked: 1, tags: 2 });
    expect(await (await admin.get('/api/contacts/tags')).json()).toEqual({
      items: [
        { tag: 'new', contacts: 1 },
        { tag: 'vip', contacts: 2 },
      ],
      nextCursor: null,
    });
    expect(await (await admin.get('/api/contacts/count?tag=vip&search=z')).json()).toEqual({ count: 1 });
    expect(await (await admin.get('/api/contacts/count?status=blocked')).json()).toEqual({ count: 1 });
  });
});

describe('editing many at once', () => {
  beforeEach(async () => {
    await add({ name: 'Ann', phone: '+14155552671', tags: ['vip'] });
    await add({ name: 'Bob', phone: '+14155552672', tags: ['VIP', 'late'] });
    await add({ name: 'Carla', phone: '+14155552673' });
  });
  const edit = async (body: object) => (await admin.post('/api/contacts/bulk-edit', body)).json();
  const tagsOf = async () => (await list('?sort=name')).items.map(({ tags }) => tags);

  test('adds and takes away tags, case alike, and leaves the version of those that are so already', async () => {
    expect(await edit({ choice: { filter: {} }, addTags: ['vip'], removeTags: ['LATE'] })).toEqual({
      chosen: 3,
      changed: 2,
    });
    expect(await tagsOf()).toEqual([['vip'], ['VIP'], ['vip']]);
    expect((await list('?sort=name')).items.map(({ version }) => version)).toEqual([1, 2, 2]);
  });

  test('reaches the chosen ones alone: by id, or by the filter of the list', async () => {
    const [carla] = (await list('?search=carla')).items;
    await edit({ choice: { contactIds: [carla?.id] }, status: 'blocked' });
    await edit({ choice: { filter: { status: 'blocked' } }, addTags: ['gone'] });
    expect((await list('?status=blocked')).items).toMatchObject([{ name: 'Carla', tags: ['gone'] }]);
    expect(await (await admin.get('/api/contacts/summary')).json()).toMatchObject({ active: 2, blocked: 1 });
  });

  test('another workspace and a viewer change nothing', async () => {
    const ids = (await list()).items.map(({ id }) => id);
    const body = { choice: { contactIds: ids }, addTags: ['x'] };
    const other = await api.asOther();
    expect(await (await other.post('/api/contacts/bulk-edit', body)).json()).toEqual({
      chosen: 0,
      changed: 0,
    });
    expect((await (await api.as('viewer')).post('/api/contacts/bulk-edit', body)).status).toBe(403);
    expect(await tagsOf()).toEqual([['vip'], ['VIP', 'late'], []]);
  });
});

describe('who may do what', () => {
  longTest.each(roles)('%s', async (role) => {
    const caller = await api.as(role);
    const manages = role !== 'viewer';
    const { id } = await add({ name: 'Ann', phone: '+14155552671' });
    const statuses = {
      list: (await caller.get('/api/contacts')).status,
      summary: (await caller.get('/api/contacts/summary')).status,
      export: (await caller.get('/api/contacts/export?format=csv')).status,
      create: (await caller.post('/api/contacts', { name: 'Bob', phone: '+14155552672' })).status,
      update: (await caller.patch(`/api/contacts/${id}`, { version: 1, name: 'Anna' })).status,
      remove: (await caller.delete(`/api/contacts/${id}`)).status,
      restore: (await caller.post(`/api/contacts/${id}/restore`)).status,
      listImports: (await caller.get('/api/contacts/imports')).status,
      import: (
        await caller.request('/api/contacts/imports', {
          method: 'POST',
          headers: { prefer: 'wait=50' },
          body: 'name,phone\n',
        })
      ).status,
    };
    const changed = manages ? 200 : 403;
    expect(statuses).toEqual({
      list: 200,
      summary: 200,
      export: changed,
      create: changed,
      update: changed,
      remove: changed,
      restore: changed,
      listImports: changed,
      import: changed,
    });
  });

  test('strangers see nothing', async () => {
    for (const path of ['', '/summary', '/tags', '/count', '/export?format=csv', '/imports']) {
      expect((await api.stranger.get(`/api/contacts${path}`)).status).toBe(401);
    }
    const upload = await api.stranger.request('/api/contacts/imports', {
      method: 'POST',
      body: 'name,phone',
    });
    expect(upload.status).toBe(401);
  });

  test('another workspace finds neither the contact nor a trace of it', async () => {
    const { id } = await add({ name: 'Ann', phone: '+14155552671', tags: ['vip'] });
    const other = await api.asOther();
    expect((await other.get(`/api/contacts/${id}`)).status).toBe(404);
    expect((await other.patch(`/api/contacts/${id}`, { version: 1, name: 'X' })).status).toBe(404);
    expect((await other.delete(`/api/contacts/${id}`)).status).toBe(404);
    await admin.delete(`/api/contacts/${id}`);
    expect((await other.post(`/api/contacts/${id}/restore`)).status).toBe(404);
    expect(await (await other.get('/api/contacts')).json()).toEqual({ items: [], nextCursor: null });
    expect(await (await other.get('/api/contacts/summary')).json()).toMatchObject({ total: 0, tags: 0 });
    expect(await (await other.get('/api/contacts/tags')).json()).toMatchObject({ items: [] });
  });
});

type Said = {
  kind: string;
  text: string;
  detail: string | null;
  fact: { type: string; values: object } | null;
};

describe('consent and timeline', () => {
  const consents = async (id: string) =>
    (await (await admin.get(`/api/contacts/${id}/consents`)).json<{ items: object[] }>()).items;

  test('an opt-out and a later opt-in are kept with time, source and words; the newest one holds', async () => {
    const { id } = await add({ name: 'Ann', phone: '+14155552671' });
    const record = (kind: string, occurredAt: string) =>
      admin.post(`/api/contacts/${id}/consents`, { kind, text: ' by telephone ', occurredAt });
    const out = await record('opt_out', '2026-03-01T10:00:00Z');
    expect(await out.json()).toMatchObject({ optedOutAt: '2026-03-01T10:00:00.000Z', version: 2 });
    // An older record that is added late does not change what holds.
    expect(await (await record('opt_in', '2026-02-01T10:00:00Z')).json()).toMatchObject({
      optedOutAt: '2026-03-01T10:00:00.000Z',
    });
    expect(await (await record('opt_in', '2026-04-01T10:00:00Z')).json()).toMatchObject({ optedOutAt: null });
    expect(await consents(id)).toMatchObject([
      { kind: 'opt_in', source: 'staff', recordedBy: 'admin Acme', occurredAt: '2026-04-01T10:00:00.000Z' },
      { kind: 'opt_out', text: 'by telephone' },
      { kind: 'opt_in', occurredAt: '2026-02-01T10:00:00.000Z' },
    ]);
    expect((await record('opt_in', '2999-01-01T00:00:00Z')).status).toBe(422);
  });

  test('what the person says on the platform leaves a record by itself', async () => {
    const { id } = await add({ name: 'Ann', phone: '+14155552671' });
    await api.db.systemPool.query(
      `UPDATE contacts SET opted_out_at = '2026-05-01T00:00:00Z', last_message = 'STOP',
                           last_message_at = '2026-05-01T00:00:00Z' WHERE id = $1`,
      [id],
    );
    await api.db.systemPool.query('UPDATE contacts SET opted_out_at = NULL WHERE id = $1', [id]);
    expect(await consents(id)).toMatchObject([
      { kind: 'opt_in', source: 'person', text: '' },
      { kind: 'opt_out', source: 'person', text: 'STOP', occurredAt: '2026-05-01T00:00:00.000Z' },
    ]);
  });

  test('the timeline pages through everything once, newest first, and a restored contact keeps it', async () => {
    const { id } = await add({ name: 'Ann', phone: '+14155552671' });
    for (const day of [1, 2, 3]) {
      await admin.post(`/api/contacts/${id}/consents`, {
        kind: 'opt_in',
        text: `day ${day}`,
        occurredAt: `2026-01-0${day}T00:00:00Z`,
      });
    }
    await admin.delete(`/api/contacts/${id}`);
    await admin.post(`/api/contacts/${id}/restore`);
    const seen: object[] = [];
    let cursor: string | null = '';
    do {
      const page: { items: Said[]; nextCursor: string | null } = await (
        await admin.get(`/api/contacts/${id}/timeline?limit=1&cursor=${cursor}`)
      ).json();
      seen.push(
        ...page.items.map(({ kind, text, fact, detail }) => ({ kind, text, type: fact?.type, by: detail })),
      );
      cursor = page.nextCursor;
    } while (cursor);
    const by = 'admin Acme';
    const type = 'contact.consent_recorded';
    expect(seen).toEqual([
      { kind: 'changed', text: '', type: 'contact.restored', by },
      { kind: 'changed', text: '', type: 'contact.deleted', by },
      { kind: 'added', text: '', type: 'contact.created', by },
      ...['day 3', 'day 2', 'day 1'].map((text) => ({ kind: 'opt_in', text, type, by })),
    ]);
  });

  test('the timeline says what somebody did by its fact, and what comes from elsewhere or from before without one', async () => {
    const { id, version } = await add({ name: 'Ann', phone: '+14155552671' });
    const written = new Date().toISOString();
    await api.db.systemPool.query(
      `UPDATE contacts SET opted_out_at = $2, last_message = 'STOP', last_message_at = $2 WHERE id = $1`,
      [id, written],
    );
    expect((await admin.patch(`/api/contacts/${id}`, { version, name: 'Anna' })).status).toBe(200);
    const read = async () =>
      (await (await admin.get(`/api/contacts/${id}/timeline`)).json<{ items: Said[] }>()).items;
    const of = async (kind: string) => (await read()).find((event) => event.kind === kind);
    expect(await of('changed')).toMatchObject({
      fact: { type: 'contact.updated', values: { name: 'Anna' } },
    });
    expect(await of('opt_out')).toMatchObject({ fact: null, text: 'STOP', detail: 'person' });
    await api.db.systemPool.query('DELETE FROM activities WHERE subject_id = $1', [id]);
    expect(await of('added')).toMatchObject({ fact: null, detail: null });
  });

  test('a viewer reads but does not record; another workspace sees nothing', async () => {
    const { id } = await add({ name: 'Ann', phone: '+14155552671' });
    const viewer = await api.as('viewer');
    expect((await viewer.get(`/api/contacts/${id}/timeline`)).status).toBe(200);
    const body = { kind: 'opt_in', text: 'x' };
    expect((await viewer.post(`/api/contacts/${id}/consents`, body)).status).toBe(403);
    const other = await api.asOther();
    for (const path of ['timeline', 'consents'])
      expect((await other.get(`/api/contacts/${id}/${path}`)).status).toBe(404);
    expect((await other.post(`/api/contacts/${id}/consents`, body)).status).toBe(404);
  });
});
