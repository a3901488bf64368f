import fc from 'fast-check';
import { runs } from '@app/database/testing/thorough';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { cleanTags, cleanText, contactSorts } from '@app/domain/contacts/contact';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Row = { id: string; name: string; phone: string; email: string | null; tags: string[]; status: string };
type Sent = { successful: number; failed: number };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
const forgetContacts = () => api.db.systemPool.query('DELETE FROM contacts');

const importText = (text: string): Promise<Sent> => importFile(text);

async function importFile(body: string | Uint8Array<ArrayBuffer>): Promise<Sent> {
  const response = await admin.request('/api/contacts/imports', {
    method: 'POST',
    body,
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
  });
  expect(response.status).toBe(200);
  return response.json<Sent>();
}

async function listed(query = ''): Promise<Row[]> {
  return (await (await admin.get(`/api/contacts?limit=200${query}`)).json<{ items: Row[] }>()).items;
}

const stored = async () =>
  (await listed()).map(({ name, phone, email, tags, status }) => [name, phone, email, tags, status]);

/** The names in a file of our own. */
async function namesIn(answer: Promise<{ status: number; text(): Promise<string> }>): Promise<string[]> {
  const response = await answer;
  expect(response.status).toBe(200);
  const file: { contacts: Row[] } = JSON.parse(await response.text());
  return file.contacts.map(({ name }) => name);
}

describe('an export and its import', () => {
  beforeEach(forgetContacts);
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc
      .tuple(
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "'=", "'+1", ';=', '"', ',', ';'),
        fc.string({ maxLength: 10 }),
      )
      .map((parts) => parts.join('')),
  );
  const contact = fc.record({
    name: text.map(cleanText).filter(Boolean),
    email: fc.option(fc.constantFrom('-a@b.co', '=a@b.co', '+44@b.co', "'@b.co", 'a,b"@b.co')),
    tags: fc.array(text, { maxLength: 4 }).map(cleanTags),
    status: fc.constantFrom('active', 'blocked'),
  });

  longTest.each(['csv', 'json', 'xlsx'])('as %s give the same contacts', async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 24 }), async (contacts) => {
        await forgetContacts();
        const wanted = contacts.map((one, index) => ({ ...one, phone: `+4477009000${10 + index}` }));
        await importText(JSON.stringify(wanted));
        const before = await stored();
        expect(before).toHaveLength(wanted.length);
        const file = await (await admin.get(`/api/contacts/export?format=${format}`)).arrayBuffer();
        await forgetContacts();
        expect(await importFile(new Uint8Array(file))).toMatchObject({
          successful: wanted.length,
          failed: 0,
        });
        expect(await stored()).toEqual(before);
      }),
      { numRuns: runs(9) },
    );
  });

  test('no cell can run as a formula, numbers stay clean, and the file is named after the day', async () => {
    await importText(
      JSON.stringify([{ name: '=1+1', phone: '+447700900001', tags: ['vip', '@x'], email: '-a@b.co' }]),
    );
    const names = () => `attachment; filename="contacts-${new Date().toISOString().slice(0, 10)}.csv"`;
    const before = names();
    const response = await admin.get('/api/contacts/export?format=csv');
    // Midnight may pass meanwhile.
    expect([before, names()]).toContain(response.headers.get('content-disposition'));
    expect(await response.text()).toBe(
      "name,phone,email,tags,status,language\r\n'=1+1,+447700900001,'-a@b.co,vip;'@x,active,\r\n",
    );
  });
});

describe('what one sees is what one gets', () => {
  // Nothing below changes them.
  beforeAll(async () => {
    await forgetContacts();
    const people = [
      ['Zoe', 'vip', 'active'],
      ['Ann', 'vip', 'blocked'],
      ['Cleo', 'new', 'active'],
      ['Anton', 'vip', 'active'],
    ];
    for (const [index, [name, tag, status]] of people.entries())
      await importText(JSON.stringify([{ name, phone: `+44770090001${index}`, tags: [tag], status }]));
  });

  const queries = ['search=an', 'tag=vip', 'status=blocked', 'search=an&tag=vip&status=active', ''];
  test.each(queries.flatMap((query) => contactSorts.map((sort) => [`${query}&sort=${sort}`])))(
    'the list with %s is the file',
    async (query) => {
      const seen = (await listed(`&${query}`)).map(({ name }) => name);
      expect(await namesIn(admin.get(`/api/contacts/export?format=json&${query}`))).toEqual(seen);
    },
  );

  test('a segment is a filter too; one that is gone is never taken for everybody', async () => {
    const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'new' }] };
    const { id } = await (await admin.post('/api/segments', { name: 'New', rules })).json<{ id: string }>();
    const address = `/api/contacts/export?format=json&segment=${id}`;
    expect(await namesIn(admin.get(address))).toEqual(['Cleo']);
    await admin.delete(`/api/segments/${id}`);
    const gone = await admin.get(address);
    expect([gone.status, await gone.json()]).toMatchObject([404, { error: { code: 'segment_not_found' } }]);
  });

  test('a selection: picked ones, or all that match but for some, in the order of the list', async () => {
    const ids = Object.fromEntries((await listed()).map(({ name, id }) => [name, id]));
    const choose = (choice: object) =>
      namesIn(admin.post('/api/contacts/export', { format: 'json', sort: 'name', choice }));
    expect(await choose({ contactIds: [ids['Zoe'], ids['Cleo']] })).toEqual(['Cleo', 'Zoe']);
    expect(await choose({ filter: { tag: 'vip' }, excludedIds: [ids['Ann']] })).toEqual(['Anton', 'Zoe']);
    const other = await api.asOther();
    const foreign = { format: 'json', choice: { contactIds: [ids['Zoe']] } };
    expect(await namesIn(other.post('/api/contacts/export', foreign))).toEqual([]);
  });

  test.each([
    ['/api/contacts/export?format=exe'],
    ['/api/contacts/export'],
    ['/api/contacts/export?format=csv&search=%00'],
    ['/api/contacts/export?format=csv&segment=1abc'],
    ['/api/contacts/export?format=csv&tags=vip'],
  ])('%s is refused', async (address) => {
    expect((await admin.get(address)).status).toBe(422);
  });

  test('a body that is no choice is refused', async () => {
    for (const body of [{ format: 'csv', choice: {} }, { format: 'csv', choice: { contactIds: ['1'] } }, 7])
      expect((await admin.post('/api/contacts/export', body)).status).toBe(422);
  });
});

describe('addresses of a file', () => {
  beforeEach(forgetContacts);
  test('what is none is refused by row, or read as none, and makes nobody a duplicate', async () => {
    const result = await importText(
      'name,phone,email\nAnn,+447700900001,n/a\nBen,+447700900002,N/A\nCleo,+447700900003,unknown\nDan,+447700900004,unknown\n',
    );
    expect(result).toMatchObject({ successful: 2, failed: 2 });
    expect((await listed()).map(({ email }) => email)).toEqual([null, null]);
  });

  test('strangers who share a note from before are not proposed to be merged', async () => {
    await importText('name,phone,email\nAnn,+447700900001,\nBen,+447700900002,\n');
    await api.db.systemPool.query("UPDATE contacts SET email = 'unknown'");
    const found = await (await admin.get('/api/contacts/duplicates')).json<{ items: unknown[] }>();
    let items = found.items;
    let { nextCursor } = found as { nextCursor?: string };
    while (nextCursor) {
      const page = await admin.get(`/api/contacts/duplicates?cursor=${nextCursor}`);
      const next: { items: unknown[]; nextCursor: string } = await page.json();
      items = [...items, ...next.items];
      nextCursor = next.nextCursor;
    }
    expect(items).toEqual([]);
  });
});
