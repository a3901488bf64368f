import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { people } from '../../src/features.ts';
import { joinContacts } from '../../src/contact-merges/join-contacts.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Contact = { id: string; version: number };
type Told = { type: string; subject: string | null; values: object };

let api: ApiFixture;
let admin: ApiCaller;
let lastFact = 0;
let lastSign = 0;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(startOver);

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

async function startOver(): Promise<void> {
  await api.facts.catchUp();
  lastFact = Number((await query('SELECT coalesce(max(id), 0) AS id FROM events')).rows[0].id);
  lastSign = await api.liveEvents.readLastId(api.workspaceId);
}

/** What was told since the last look, and what the browsers were told. */
async function hear(): Promise<{ told: Told[]; heard: object[] }> {
  await api.facts.catchUp();
  const { rows } = await query(
    // That an act which may take long is over is told of each of them (long-acts.test.ts).
    `SELECT type, subject_id AS subject, "values" FROM events WHERE id > $1 AND type <> 'long_act.ended' ORDER BY id`,
    [lastFact],
  );
  const signs = (await api.liveEvents.readSince(api.workspaceId, lastSign)) ?? [];
  await startOver();
  return {
    told: rows,
    heard: signs
      .filter(({ topic }) => topic !== 'activities' && topic !== 'progress')
      .map(({ topic, payload }) => ({ topic, ...payload })),
  };
}

let numbers = 0;
const nextPhone = () => `+1415555${String((numbers += 1)).padStart(4, '0')}`;
const add = async (name: string, more: object = {}) =>
  (await admin.post('/api/contacts', { name, phone: nextPhone(), ...more })).json<Contact>();
const ofContact = ({ id }: Contact) => [{ topic: 'contacts', contactId: id }];

test('each act on a contact tells one fact, and the pages that show it hear of it once', async () => {
  const ann = await add('Ann');
  const path = `/api/contacts/${ann.id}`;
  const tells = async (type: string, values: object) =>
    expect(await hear()).toEqual({ told: [{ type, subject: ann.id, values }], heard: ofContact(ann) });
  await tells('contact.created', { name: 'Ann' });
  await admin.patch(path, { version: 1, name: 'Anna' });
  await tells('contact.updated', { name: 'Anna', fields: ['name'], changes: [] });
  await admin.post(`${path}/consents`, { kind: 'opt_out', text: 'by phone' });
  await tells('contact.consent_recorded', { name: 'Anna', kind: 'opt_out' });
  await admin.delete(path);
  await tells('contact.deleted', { name: 'Anna' });
  await admin.post(`${path}/restore`);
  await tells('contact.restored', { name: 'Anna' });
  await admin.post(`${path}/erase`);
  expect(await hear()).toEqual({
    told: [{ type: 'contact.erased', subject: null, values: {} }],
    heard: [{ topic: 'contacts' }],
  });
});

test('an act on many contacts is one fact that says how many', async () => {
  const two = [await add('One', { tags: ['many'] }), await add('Two', { tags: ['many'] })];
  await add('Three');
  await hear();
  await admin.post('/api/contacts/bulk-edit', { choice: { filter: { tag: 'many' } }, status: 'blocked' });
  expect(await hear()).toEqual({
    told: [{ type: 'contacts.edited', subject: null, values: { changed: 2 } }],
    heard: [{ topic: 'contacts' }],
  });
  await admin.get('/api/contacts/export?format=csv&tag=many');
  expect(await hear()).toEqual({
    told: [{ type: 'contacts.exported', subject: null, values: { format: 'csv' } }],
    heard: [],
  });
  const removalId = newId();
  const heard = [{ topic: 'contacts', removalId }];
  await admin.post('/api/contacts/removals', { removalId, choice: { contactIds: two.map(({ id }) => id) } });
  const values = { count: 2 };
  expect(await hear()).toEqual({ told: [{ type: 'contacts.deleted', subject: removalId, values }], heard });
  await admin.post(`/api/contacts/removals/${removalId}/undo`);
  expect(await hear()).toEqual({ told: [{ type: 'contacts.restored', subject: removalId, values }], heard });
});

test('tags that a contact gets and loses are told by whichever way, and those that it had already are not', async () => {
  const tags = async () =>
    (await hear()).told.flatMap(({ type, values }) => (type === 'contacts.tags_changed' ? [values] : []));
  const ann = await add('Ann', { tags: ['a'] });
  const bob = await add('Bob', { tags: ['b'] });
  const cid = await add('Cid');
  expect(await tags()).toEqual([
    { contactIds: [ann.id], added: ['a'], removed: [] },
    { contactIds: [bob.id], added: ['b'], removed: [] },
  ]);
  await admin.patch(`/api/contacts/${cid.id}`, { version: cid.version, tags: ['c', 'x'] });
  expect(await tags()).toEqual([{ contactIds: [cid.id], added: ['c', 'x'], removed: [] }]);
  const choice = { contactIds: [ann, bob, cid].map(({ id }) => id) };
  const edit = { addTags: ['a'], removeTags: ['x'] };
  await admin.post('/api/contacts/bulk-edit', { choice, ...edit });
  const one = { contactIds: [bob.id], added: ['a'], removed: [] };
  const other = { contactIds: [cid.id], added: ['a'], removed: ['x'] };
  expect(new Set(await tags())).toEqual(new Set([one, other]));
  await admin.post('/api/contacts/bulk-edit', { choice, ...edit });
  expect(await tags()).toEqual([]);
  await admin.post('/api/contacts/edits', { choice, addTags: [], removeTags: ['a'] });
  expect(await tags()).toEqual([{ contactIds: choice.contactIds.toSorted(), added: [], removed: ['a'] }]);
  const [first, second] = await Promise.all(
    [ann, bob].map(async ({ id }) => (await admin.get(`/api/contacts/${id}`)).json<Contact>()),
  );
  const mergeId = newId();
  const contacts = [first!, second!].map(({ id, version }) => ({ contactId: id, version }));
  await admin.post('/api/contacts/merges', { mergeId, survivorId: ann.id, contacts });
  expect(await tags()).toEqual([{ contactIds: [ann.id], added: ['b'], removed: [] }]);
  await admin.post(`/api/contacts/merges/${mergeId}/undo`);
  expect(await tags()).toEqual([{ contactIds: [ann.id], added: [], removed: ['b'] }]);
});

test('a merge and its undoing are one fact each, whoever merged', async () => {
  const [ann, bob] = [await add('Ann'), await add('Bob')];
  await hear();
  const mergeId = newId();
  const contacts = [ann, bob].map(({ id, version }) => ({ contactId: id, version }));
  await admin.post('/api/contacts/merges', { mergeId, survivorId: ann.id, contacts });
  const merged = {
    told: [
      {
        ...{ type: 'contact.merged', subject: ann.id },
        values: { name: 'Ann', names: ['Bob'], otherIds: [bob.id] },
      },
    ],
    heard: [{ topic: 'contacts' }],
  };
  expect(await hear()).toEqual(merged);
  await admin.post('/api/contacts/merges', { mergeId, survivorId: ann.id, contacts });
  expect(await hear()).toEqual({ told: [], heard: [] });
  for (const told of [
    [{ type: 'contact.unmerged', subject: ann.id, values: { name: 'Ann', otherIds: [bob.id] } }],
    [],
  ]) {
    await admin.post(`/api/contacts/merges/${mergeId}/undo`);
    expect((await hear()).told).toEqual(told);
  }
  await changeAsSystem(api.parts, 'webhooks', api.workspaceId, (scope) =>
    joinContacts(scope, people, { contactIds: [ann.id, bob.id] }),
  );
  expect(await hear()).toEqual(merged);
});

test('the entry of a merge is found by what is read there', async () => {
  const contacts = [await add('Ann Quill'), await add('Bela'), await add('Cleo')];
  const named = contacts.map(({ id, version }) => ({ contactId: id, version }));
  await admin.post('/api/contacts/merges', {
    mergeId: newId(),
    survivorId: named[0]!.contactId,
    contacts: named,
  });
  const find = async (name: string, at: string, text: string) => {
    const fit = {
      type: 'contact.merged',
      'values][0][name': name,
      'values][0][at': at,
      'values][0][text': text,
    };
    const asked = new URLSearchParams({ search: 'no such text' });
    for (const [key, value] of Object.entries(fit)) asked.set(`said[0][${key}]`, value);
    return (await (await admin.get(`/api/activities?${String(asked)}`)).json<{ items: object[] }>()).items
      .length;
  };
  expect(await find('names', 'start', 'bela, cl')).toBe(1);
  expect(await find('names', 'end', 'cleo')).toBe(1);
  expect(await find('names', 'whole', 'bela')).toBe(0);
  expect(await find('name', 'whole', 'ann quill')).toBe(1);
});

test('what is refused, and a second press, tell nothing', async () => {
  const ann = await add('Ann');
  const key = crypto.randomUUID();
  await hear();
  const phone = nextPhone();
  await Promise.all([1, 2].map(() => admin.post('/api/contacts', { name: 'Once', phone }, key)));
  expect((await hear()).told).toMatchObject([{ type: 'contact.created', values: { name: 'Once' } }]);
  const refused = [
    await admin.post('/api/contacts', { name: 'Twice', phone }),
    await admin.patch(`/api/contacts/${ann.id}`, { version: 7, name: 'Late' }),
    await admin.delete(`/api/contacts/${newId()}`),
    await admin.post(`/api/contacts/${newId()}/restore`),
    await admin.post(`/api/contacts/${newId()}/erase`),
    await admin.post('/api/contacts/bulk-edit', {
      choice: { filter: { segment: newId() } },
      status: 'active',
    }),
    await admin.get(`/api/contacts/export?format=csv&segment=${newId()}`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 404, 404, 404, 404, 404]);
  await admin.post('/api/contacts/bulk-edit', { choice: { filter: { tag: 'nobody' } }, status: 'active' });
  expect(await hear()).toEqual({ told: [], heard: [] });
});
