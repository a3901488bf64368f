import { newId } from '@app/database/new-id';
import { isThorough } from '@app/database/testing/thorough';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readFactContacts, type FactContact } from '../../src/contacts/fact-contacts.ts';
import { consumePage } from '../../src/platform/facts/consume-facts.ts';
import type { FactConsumer } from '../../src/platform/facts/fact-consumer.ts';
import { registerConsumers } from '../../src/platform/facts/fact-cursors.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

const MANY = isThorough ? 100_000 : 1_200;

const logger = { info() {}, warn() {}, error() {} };

type Contact = { id: string; name: string; version: number };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

async function importFile(body: string, query = ''): Promise<{ id: string; successful: number }> {
  const response = await admin.request(`/api/contacts/imports?fileName=fair.csv${query}`, {
    ...{ method: 'POST', body, headers: { prefer: 'wait=50', 'content-type': 'text/csv' } },
  });
  expect([200, 202]).toContain(response.status);
  const { id } = await response.json<{ id: string }>();
  // A large file on a busy machine takes longer than the request waits.
  const find = async () =>
    (await admin.get(`/api/contacts/imports/${id}`)).json<{
      id: string;
      state: string;
      successful: number;
    }>();
  await vi.waitFor(async () => expect((await find()).state).toBe('done'), {
    timeout: 600_000,
    interval: 500,
  });
  return find();
}

/** Reads the contacts of imports in slices of `limit`, from now on. */
async function openReader(limit: number) {
  const slices: FactContact[][] = [];
  const imports: string[] = [];
  const consumer: FactConsumer = {
    ...{ name: `imports-${newId()}`, order: 'none', types: ['contacts.imported'], atDepthLimit: 'hear' },
    async handle(page, facts) {
      for (const fact of facts) {
        imports.push(fact.subject ?? '');
        let after: string | null = null;
        do {
          const slice: Awaited<ReturnType<typeof readFactContacts>> = await readFactContacts(page, fact, {
            after,
            limit,
          });
          if (slice.contacts.length > 0) slices.push(slice.contacts);
          after = slice.next;
        } while (after !== null);
      }
    },
  };
  await registerConsumers(api.db, [consumer]);
  return {
    slices,
    imports,
    async read() {
      while ((await consumePage({ db: api.db, logger, clock: () => new Date() }, consumer)) === 'more');
    },
  };
}

test('an import is one fact, which gives new contacts, those that it changed, and the tags that each got', async () => {
  const bob = await (
    await admin.post('/api/contacts', { name: 'Bob', phone: '+447700900002', tags: ['Fair'] })
  ).json<Contact>();
  const reader = await openReader(2);
  const file = `name,phone,tags
Ann,+447700900001,vip
Bob,+447700900002,fair;new
Cid,+447700900003,
Dan,+447700900004,
`;
  const { id } = await importFile(file, '&duplicates=update&tags=stall');
  const { items } = await (await admin.get('/api/contacts?limit=200')).json<{ items: Contact[] }>();
  const cid = items.find(({ name }) => name === 'Cid')!;
  const changed = await admin.patch(`/api/contacts/${cid.id}`, {
    version: cid.version,
    tags: ['stall', 'later'],
  });
  expect(changed.status).toBe(200);
  await reader.read();
  expect(reader.imports).toEqual([id]);
  expect(reader.slices.map(({ length }) => length)).toEqual([2, 2]);
  const nameOf = new Map(items.map((contact) => [contact.id, contact.name]));
  expect(
    reader.slices
      .flat()
      .map(({ contactId, ...rest }) => ({ name: nameOf.get(contactId), ...rest }))
      .toSorted((one, other) => (one.name! < other.name! ? -1 : 1)),
  ).toEqual([
    { name: 'Ann', isNew: true, addedTags: ['vip', 'stall'], removedTags: [] },
    { name: 'Bob', isNew: false, addedTags: ['new', 'stall'], removedTags: [] },
    { name: 'Cid', isNew: true, addedTags: ['stall'], removedTags: [] },
    { name: 'Dan', isNew: true, addedTags: ['stall'], removedTags: [] },
  ]);
  expect(nameOf.get(bob.id)).toBe('Bob');
});

test('an import that is undone before its fact is read gives no contacts', async () => {
  const reader = await openReader(500);
  const { id } = await importFile('name,phone\nAnn,+447700900001\n');
  expect((await admin.post(`/api/contacts/imports/${id}/undo`)).status).toBe(200);
  await reader.read();
  expect(reader.imports).toEqual([id]);
  expect(reader.slices).toEqual([]);
});

test(`a consumer reads one fact of ${MANY} contacts in slices, and each contact once`, async () => {
  const reader = await openReader(500);
  const rows = Array.from({ length: MANY }, (_, n) => `Person ${n},+4477${String(n).padStart(8, '0')}`);
  const { successful } = await importFile(`name,phone\n${rows.join('\n')}\n`, '&tags=fair');
  expect(successful).toBe(MANY);
  await reader.read();
  expect(reader.imports).toHaveLength(1);
  expect(Math.max(...reader.slices.map(({ length }) => length))).toBe(500);
  const read = reader.slices.flat();
  expect(read).toHaveLength(MANY);
  expect(new Set(read.map(({ contactId }) => contactId)).size).toBe(MANY);
  expect(read.every(({ isNew, addedTags }) => isNew && addedTags.join() === 'fair')).toBe(true);
}, 900_000);
