import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Contact = {
  id: string;
  name: string;
  tags: string[];
  version: number;
  optedOutAt: string | null;
  customFields: Record<string, unknown>;
};
type Operation = {
  id: string;
  state: string;
  done: number;
  total: number;
  result: Record<string, number>;
  file: { name: string } | null;
};

let api: ApiFixture;
let admin: ApiCaller;
let agent: ApiCaller;
let viewer: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  [admin, agent, viewer] = [await api.as('admin'), await api.as('agent'), await api.as('viewer')];
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of [
    'contacts',
    'segments',
    'custom_fields',
    'distinct_contacts',
    'contact_merges',
    'merged_contacts',
    'operations',
  ])
    await api.db.systemPool.query(`DELETE FROM ${table}`);
});

let added = 0;
async function add(name: string, fields: object = {}): Promise<Contact> {
  added += 1;
  const response = await admin.post('/api/contacts', { name, phone: `+4479110${10_000 + added}`, ...fields });
  expect(response.status).toBe(200);
  return response.json<Contact>();
}
const read = async (id: string) => (await admin.get(`/api/contacts/${id}`)).json<Contact>();
const addMany = (count: number) =>
  api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone)
     SELECT gen_random_uuid(), $1, 'P' || n, '+4479' || lpad(n::text, 8, '0') FROM generate_series(1, $2::int) AS n`,
    [api.workspaceId, count],
  );
const readOperation = async (id: string) => (await admin.get(`/api/operations/${id}`)).json<Operation>();
const optOut = (contactId: string) =>
  admin.post(`/api/contacts/${contactId}/consents`, { kind: 'opt_out', text: 'No more' });

describe('what somebody chooses of the list', () => {
  test('is theirs alone, whole, and what is no column is refused', async () => {
    const field = await (
      await admin.post('/api/custom-fields', { label: 'Size', type: 'number' })
    ).json<{ id: string }>();
    const layout = { columns: ['tags', `field:${field.id}`, 'phone'], density: 'compact' };
    expect((await agent.put('/api/contact-layout', layout)).status).toBe(200);
    expect(await (await agent.get('/api/contact-layout')).json()).toEqual(layout);
    expect(await (await viewer.get('/api/contact-layout')).json()).toMatchObject({ density: 'comfortable' });
    for (const columns of [['shoes'], ['phone', 'phone'], ['field:1']])
      expect((await agent.put('/api/contact-layout', { columns, density: 'compact' })).status).toBe(422);
    expect(await (await agent.get('/api/contact-layout')).json()).toEqual(layout);
  });
});

describe('a value for many', () => {
  test('is read as its field is, taken away by nothing, and wrong for nobody', async () => {
    await admin.post('/api/custom-fields', { label: 'Size', type: 'number' });
    const [ann, ben] = [await add('Ann'), await add('Ben', { customFields: { size: 38 } })];
    const choice = { filter: {} };
    const set = (size: unknown) => admin.post('/api/contacts/bulk-edit', { choice, customFields: { size } });
    expect(await (await set('38')).json()).toEqual({ chosen: 2, changed: 1 });
    expect((await read(ann.id)).customFields).toEqual({ size: 38 });
    expect((await read(ben.id)).version).toBe(ben.version);
    const wrong = await set('large');
    expect(wrong.status).toBe(422);
    expect(await wrong.json()).toMatchObject({
      error: { code: 'custom_field_invalid', details: { field: 'customFields.size' } },
    });
    expect(await (await set(null)).json()).toEqual({ chosen: 2, changed: 2 });
    expect((await read(ann.id)).customFields).toEqual({});
  });

  longTest('is given to 10,000 in one request at most, and else to nobody', async () => {
    await addMany(10_001);
    const set = (choice: object) =>
      admin.post('/api/contacts/bulk-edit', { choice: { filter: {}, ...choice }, addTags: ['x'] });
    const refused = await set({});
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ error: { code: 'contact_choice_too_large' } });
    expect(await (await admin.get('/api/contacts/count?tag=x')).json()).toEqual({ count: 0 });
    const { items } = await (await admin.get('/api/contacts?limit=1')).json<{ items: Contact[] }>();
    expect(await (await set({ excludedIds: [items[0]!.id] })).json()).toEqual({
      ...{ chosen: 10_000, changed: 10_000 },
    });
  });

  test('is given bit by bit, to those who were there when it began', async () => {
    await admin.post('/api/custom-fields', { label: 'Size', type: 'number' });
    await addMany(4_500);
    const edit = (more: object) => admin.post('/api/contacts/edits', { choice: { filter: {} }, ...more });
    const wrong = await edit({ customFields: { size: 'large' } });
    expect(await wrong.json()).toMatchObject({ error: { code: 'custom_field_invalid' } });
    const begun = await (await edit({ addTags: ['all'], customFields: { size: 38 } })).json<Operation>();
    expect(begun).toMatchObject({ kind: 'contact-edit', state: 'running', done: 2000, total: 4500 });
    const late = await add('Late');
    await expect
      .poll(() => readOperation(begun.id))
      .toMatchObject({ state: 'done', done: 4500, result: { changed: 4500 } });
    expect((await read(late.id)).tags).toEqual([]);
    const found = await admin.get('/api/contacts/count?tag=all');
    expect(await found.json()).toEqual({ count: 4500 });
  });

  longTest('stops where somebody stops it', async () => {
    await addMany(20_000);
    const body = { choice: { filter: {} }, status: 'blocked' };
    const begun = await (await admin.post('/api/contacts/edits', body)).json<Operation>();
    await admin.post(`/api/operations/${begun.id}/cancel`, {});
    await expect.poll(() => readOperation(begun.id)).toMatchObject({ state: 'cancelled' });
    const { done, result } = await readOperation(begun.id);
    expect(done).toBeLessThan(20_000);
    expect(result).toEqual({ changed: done });
    const blocked = await admin.get('/api/contacts/count?status=blocked');
    expect(await blocked.json()).toEqual({ count: done });
  });
});

describe('consent of many', () => {
  test('whoever opted out stays so when the others opt in; an opt-out is for all', async () => {
    const [ann, ben] = [await add('Ann'), await add('Ben')];
    await optOut(ben.id);
    const choice = { filter: {} };
    const counted = await admin.post('/api/contacts/choices/count-opted-out', { choice });
    expect(await counted.json()).toEqual({ chosen: 2, optedOut: 1 });
    const record = (kind: string, more = {}) =>
      admin.post('/api/contacts/consents', { choice, kind, text: 'At the fair', ...more });
    const optIn = await (await record('opt_in')).json<Operation>();
    expect(optIn).toMatchObject({ state: 'done', done: 1, total: 2 });
    expect((await read(ben.id)).optedOutAt).not.toBeNull();
    const said = await (await admin.get(`/api/contacts/${ann.id}/consents`)).json<{ items: object[] }>();
    expect(said.items).toMatchObject([{ kind: 'opt_in', source: 'staff', text: 'At the fair' }]);
    expect(await (await record('opt_out')).json()).toMatchObject({ state: 'done', done: 2 });
    expect((await read(ann.id)).optedOutAt).not.toBeNull();
    const late = await record('opt_in', { occurredAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(late.status).toBe(422);
  });

  test('the same act again records nothing twice', async () => {
    const { id } = await add('Ann');
    const headers = { 'idempotency-key': newId(), 'content-type': 'application/json' };
    const body = JSON.stringify({ choice: { contactIds: [id] }, kind: 'opt_in', text: 'At the fair' });
    const once = () => admin.request('/api/contacts/consents', { method: 'POST', headers, body });
    const [one, two] = [await (await once()).json<Operation>(), await (await once()).json<Operation>()];
    expect(two.id).toBe(one.id);
    const said = await (await admin.get(`/api/contacts/${id}/consents`)).json<{ items: object[] }>();
    expect(said.items).toHaveLength(1);
  });
});

describe('people who were chosen by hand', () => {
  test('are kept as a segment of a tag that nobody else has', async () => {
    const [ann, ben] = [
      await add('Ann', { tags: ['vip'] }),
      await add('Ben'),
      await add('Cid', { tags: ['Fair'] }),
    ];
    const save = (name: string) =>
      admin.post('/api/contacts/choices/segments', { choice: { contactIds: [ann.id, ben.id] }, name });
    const saved = await (
      await save('fair')
    ).json<{ segment: { id: string }; tag: string; operation: Operation }>();
    expect(saved).toMatchObject({
      tag: 'fair 2',
      operation: { state: 'done', done: 2, result: { changed: 2 } },
    });
    const found = await admin.get(`/api/contacts/count?segment=${saved.segment.id}`);
    expect(await found.json()).toEqual({ count: 2 });
    const again = await save('Fair');
    expect([again.status, (await read(ann.id)).tags]).toEqual([409, expect.not.arrayContaining(['Fair 3'])]);
  });

  test('what a search finds is a rule, too', async () => {
    const ann = await add('Ann Lee');
    await add('Ben');
    const rules = { match: 'all', conditions: [{ kind: 'search_matches', value: 'ann l' }] };
    const { id } = await (await admin.post('/api/segments', { name: 'Anns', rules })).json<{ id: string }>();
    const { items } = await (await admin.get(`/api/contacts?segment=${id}`)).json<{ items: Contact[] }>();
    expect(items.map((one) => one.id)).toEqual([ann.id]);
  });
});

describe('a file', () => {
  test('has the columns that are shown, a mark for spreadsheets, and is named after what is in it', async () => {
    const field = await (
      await admin.post('/api/custom-fields', { label: 'Size', type: 'number' })
    ).json<{ id: string }>();
    await add('=Ann', { phone: '+447911009999', tags: ['Été VIP'], customFields: { size: 38 } });
    await add('Ben');
    const start = async (wish: object) =>
      (await admin.post('/api/contacts/exports', { format: 'csv', ...wish })).json<Operation>();
    const columns = [`field:${field.id}`, 'phone', `field:${newId()}`];
    const operation = await start({ choice: { filter: { tag: 'Été VIP' } }, columns });
    expect(operation.file?.name).toMatch(/^contacts-ete-vip-\d{4}-\d\d-\d\d\.csv$/);
    const bytes = Buffer.from(await (await admin.get(`/api/operations/${operation.id}/file`)).arrayBuffer());
    expect(bytes.toString('utf8')).toBe("\ufeffname,size,phone\r\n'=Ann,38,+447911009999\r\n");
    const searched = await start({ choice: { filter: { search: 'ben', status: 'active' } } });
    expect(searched.file?.name).toMatch(/^contacts-active-found-\d/);
  });
});

describe('two who are no duplicates', () => {
  const offered = async () => {
    const keys: string[] = [];
    for (let cursor = ''; ;) {
      const page = await (
        await admin.get(`/api/contacts/duplicates${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)
      ).json<{ items: { contacts: Contact[] }[]; nextCursor: string | null }>();
      keys.push(...page.items.map(({ contacts }) => contacts.map(({ name }) => name).join(' ')));
      if (page.nextCursor === null) return keys;
      cursor = page.nextCursor;
    }
  };
  const say = (contacts: Contact[], isDistinct: boolean) =>
    admin.put('/api/contacts/duplicates/distinct', {
      contactIds: contacts.map(({ id }) => id),
      isDistinct,
    });
  const same = { email: 'info@shop.example' };

  test('are not offered again, but with somebody new; and it can be taken back', async () => {
    const [ann, ben] = [await add('Ann', same), await add('Ben', same)];
    expect(await offered()).toEqual(['Ann Ben']);
    expect((await say([ann, ben], true)).status).toBe(200);
    expect(await offered()).toEqual([]);
    const cid = await add('Cid', same);
    expect(await offered()).toEqual(['Ann Ben Cid']);
    await say([ann, ben, cid], true);
    expect(await offered()).toEqual([]);
    await say([ann, ben], false);
    expect(await offered()).toEqual(['Ann Ben']);
    expect(
      (
        await viewer.put('/api/contacts/duplicates/distinct', {
          contactIds: [ann.id, ben.id],
          isDistinct: true,
        })
      ).status,
    ).toBe(403);
    expect((await say([ann, { ...ben, id: newId() }], true)).status).toBe(404);
  });

  test('stay so through a merge and its undo, and are forgotten with who is erased', async () => {
    const [ann, ben] = [await add('Ann', same), await add('Ben', same)];
    const other = await add('Ben B');
    await say([ann, ben], true);
    const mergeId = newId();
    const merged = await admin.post('/api/contacts/merges', {
      ...{ mergeId, survivorId: other.id, picks: { email: ben.id } },
      contacts: [other, ben].map(({ id, version }) => ({ contactId: id, version })),
    });
    expect(merged.status).toBe(200);
    expect(await offered()).toEqual([]);
    await admin.post(`/api/contacts/merges/${mergeId}/undo`);
    expect(await offered()).toEqual([]);
    await admin.post(`/api/contacts/${ben.id}/erase`);
    const { rows } = await api.db.systemPool.query('SELECT 1 FROM distinct_contacts');
    expect(rows).toEqual([]);
  });
});
