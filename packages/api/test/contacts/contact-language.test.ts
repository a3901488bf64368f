import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Contact = { id: string; name: string; language: string | null; version: number };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

let added = 0;
async function add(name: string, language?: string | null): Promise<Contact> {
  const phone = `+4477009${String((added += 1)).padStart(5, '0')}`;
  const response = await admin.post('/api/contacts', { name, phone, language });
  expect(response.status).toBe(200);
  return response.json<Contact>();
}
const read = async (id: string) => (await admin.get(`/api/contacts/${id}`)).json<Contact>();
const list = async (query: string) =>
  (await (await admin.get(`/api/contacts?sort=name&${query}`)).json<{ items: Contact[] }>()).items;
const namesOf = async (query: string) => (await list(query)).map(({ name }) => name);

function importFile(body: string, query = '') {
  return admin.request(`/api/contacts/imports?importId=${newId()}${query}`, {
    method: 'POST',
    body,
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
  });
}

describe('the language of a contact', () => {
  test('is kept as a code however it is written, and can be changed and taken away', async () => {
    const { id, version, language } = await add('Ann', 'Portuguese (Brazil)');
    expect(language).toBe('pt_BR');
    const changed = await admin.patch(`/api/contacts/${id}`, { version, language: 'de-AT' });
    expect(await changed.json()).toMatchObject({ language: 'de_AT' });
    const other = await admin.patch(`/api/contacts/${id}`, { version: version + 1, name: 'Anna' });
    expect(await other.json()).toMatchObject({ name: 'Anna', language: 'de_AT' });
    await admin.patch(`/api/contacts/${id}`, { version: version + 2, language: null });
    expect(await read(id)).toMatchObject({ language: null });
    expect((await add('Bob')).language).toBeNull();
  });

  test('is refused at its field when it is none', async () => {
    const refused = await admin.post('/api/contacts', {
      name: 'Ann',
      phone: '+447700900001',
      language: 'Klingon',
    });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      error: { code: 'invalid_input', details: { issues: [{ field: 'language' }] } },
    });
  });

  test('finds people: one language with all of its regions, one region, and those of whom nobody said it', async () => {
    await add('Ann', 'de');
    await add('Bob', 'de_AT');
    await add('Cat', 'en');
    await add('Dan');
    expect(await namesOf('language=de')).toEqual(['Ann', 'Bob']);
    expect(await namesOf('language=de_AT')).toEqual(['Bob']);
    expect(await namesOf('language=none')).toEqual(['Dan']);
    expect(await namesOf('language=')).toHaveLength(4);
    expect((await admin.get('/api/contacts?language=x%27')).status).toBe(422);
    expect(await (await admin.get('/api/contacts/count?language=de')).json()).toEqual({ count: 2 });
  });

  test('is set for many at once, and only who had another one is changed', async () => {
    const [ann, bob] = [await add('Ann', 'fr'), await add('Bob')];
    const edit = async (language: string | null) =>
      (
        await admin.post('/api/contacts/bulk-edit', {
          choice: { contactIds: [ann.id, bob.id] },
          ...{ addTags: [], removeTags: [], language },
        })
      ).json();
    expect(await edit('French')).toEqual({ chosen: 2, changed: 1 });
    expect(await read(bob.id)).toMatchObject({ language: 'fr', version: 2 });
    expect(await edit(null)).toEqual({ chosen: 2, changed: 2 });
  });

  test('comes back with a contact that was deleted', async () => {
    const { id } = await add('Ann', 'de');
    await admin.delete(`/api/contacts/${id}`);
    await admin.post(`/api/contacts/${id}/restore`);
    expect(await read(id)).toMatchObject({ language: 'de' });
  });

  test('of merged contacts is the survivor’s, else the first there is, or the one that was picked; an undo puts it back', async () => {
    const merge = async (survivor: Contact, other: Contact, picks: object) => {
      const mergeId = newId();
      const answer = await admin.post('/api/contacts/merges', {
        ...{ mergeId, survivorId: survivor.id, picks },
        contacts: [survivor, other].map(({ id, version }) => ({ contactId: id, version })),
      });
      expect(answer.status).toBe(200);
      return mergeId;
    };
    const [ann, bob] = [await add('Ann'), await add('Bob', 'de')];
    const mergeId = await merge(ann, bob, {});
    expect(await read(ann.id)).toMatchObject({ language: 'de' });
    await admin.post(`/api/contacts/merges/${mergeId}/undo`);
    expect(await read(ann.id)).toMatchObject({ language: null });
    expect(await read(bob.id)).toMatchObject({ language: 'de' });
    const [cat, dan] = [await add('Cat', 'en'), await add('Dan', 'fr')];
    await merge(cat, dan, { language: dan.id });
    expect(await read(cat.id)).toMatchObject({ language: 'fr' });
  });
});

describe('a file with languages', () => {
  const FILE =
    'name,phone,language\nAnn,+447700900001,German\nBob,+447700900002,\nCat,+447700900003,Klingon\n';

  test('is read by name or code; what is no language is a reason to mend the row', async () => {
    const answer = await importFile(FILE);
    expect(await answer.json()).toMatchObject({ successful: 2, failed: 1 });
    expect(await list('')).toMatchObject([{ language: 'de' }, { language: null }]);
  });

  test('changes who is here, says nothing where it is empty, and can be taken back', async () => {
    const ann = await admin.post('/api/contacts', { name: 'Ann', phone: '+447700900001', language: 'fr' });
    const bob = await admin.post('/api/contacts', { name: 'Bob', phone: '+447700900002', language: 'es' });
    const ids = [(await ann.json<Contact>()).id, (await bob.json<Contact>()).id] as const;
    const { id } = await (await importFile(FILE, '&duplicates=update')).json<{ id: string }>();
    expect([await read(ids[0]), await read(ids[1])]).toMatchObject([{ language: 'de' }, { language: 'es' }]);
    await admin.post(`/api/contacts/imports/${id}/undo`);
    expect(await read(ids[0])).toMatchObject({ language: 'fr' });
  });

  test('goes out and comes back, also beside a field of the business that has its name', async () => {
    const field = await admin.post('/api/custom-fields', { label: 'Tongue', type: 'text' });
    expect(field.status).toBe(200);
    await api.db.systemPool.query(`UPDATE custom_fields SET key = 'language', label = 'Language'`);
    await admin.post('/api/contacts', {
      ...{ name: 'Ann', phone: '+447700900001', language: 'de' },
      customFields: { language: 'Bavarian' },
    });
    for (const format of ['csv', 'json']) {
      const exported = await admin.get(`/api/contacts/export?format=${format}`);
      const text = await exported.text();
      await api.db.systemPool.query('DELETE FROM contacts');
      const mapping = encodeURIComponent(
        JSON.stringify({
          name: 'name',
          phone: 'phone',
          languageCode: 'language',
          language: 'custom:language',
        }),
      );
      const answer = await importFile(text, format === 'csv' ? `&mapping=${mapping}` : '');
      expect(await answer.json()).toMatchObject({ successful: 1, failed: 0 });
      expect(await list('')).toMatchObject([{ language: 'de', customFields: { language: 'Bavarian' } }]);
    }
  });
});
