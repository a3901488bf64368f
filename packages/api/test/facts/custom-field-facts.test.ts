import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Field = { id: string; label: string; version: number };
type Entry = { fact: { type: string; values: object } | null; description: string | null; userName: string };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const readFacts = async () =>
  (
    await query(
      `SELECT type, subject_kind, subject_id, actor, "values" FROM events WHERE subject_kind = 'custom-field' ORDER BY id`,
    )
  ).rows;
const readLog = async (filter: string) =>
  (await (await admin.get(`/api/activities?${filter}`)).json<{ items: Entry[] }>()).items;
const addField = async (label: string) =>
  (await admin.post('/api/custom-fields', { label, type: 'text' })).json<Field>();

test('an act tells one fact; its entry in the log and what the browsers hear come of that alone', async () => {
  // The sign-in was told, too.
  await api.facts.catchUp();
  const last = await api.liveEvents.readLastId(api.workspaceId);
  const heard = async () => {
    await api.facts.catchUp();
    return (await api.liveEvents.readSince(api.workspaceId, last))?.map(({ topic }) => topic);
  };
  const { id } = await addField('Tier');
  expect(await heard()).toEqual(['contacts', 'activities']);
  const userId = await api.userId('admin@acme.test');
  expect(await readFacts()).toEqual([
    {
      type: 'custom_field.created',
      ...{ subject_kind: 'custom-field', subject_id: id, values: { label: 'Tier' } },
      actor: { kind: 'person', id: userId, name: 'admin Acme' },
    },
  ]);
  const [entry] = await readLog('type=create');
  expect(entry).toMatchObject({
    ...{ userName: 'admin Acme', description: null },
    fact: { type: 'custom_field.created', values: { label: 'Tier' } },
  });
  await admin.patch(`/api/custom-fields/${id}`, { version: 1, label: 'Level' });
  await heard();
  await admin.post('/api/custom-fields/order', { fieldIds: [id] });
  await heard();
  await admin.delete(`/api/custom-fields/${id}`);
  expect((await readFacts()).map(({ type }) => type)).toEqual([
    ...['custom_field.created', 'custom_field.updated', 'custom_fields.reordered', 'custom_field.deleted'],
  ]);
  // Once for each act, and not again by an earlier form.
  expect(await heard()).toEqual(Array(4).fill(['contacts', 'activities']).flat());
});

test('browsers hear of it by themselves', async () => {
  const told: string[] = [];
  const unsubscribe = api.liveEvents.subscribe(api.workspaceId, ({ topic }) => told.push(topic));
  await addField('Heard');
  await expect.poll(() => told).toContain('contacts');
  unsubscribe();
});

test('what is refused tells nothing', async () => {
  await addField('Size');
  const before = (await readFacts()).length;
  expect((await admin.post('/api/custom-fields', { label: 'size', type: 'text' })).status).toBe(409);
  expect((await admin.delete(`/api/custom-fields/${crypto.randomUUID()}`)).status).toBe(404);
  expect((await readFacts()).length).toBe(before);
});

test('the same key tells once', async () => {
  const before = (await readFacts()).length;
  const key = crypto.randomUUID();
  await Promise.all([1, 2].map(() => admin.post('/api/custom-fields', { label: 'Once', type: 'text' }, key)));
  expect((await readFacts()).length).toBe(before + 1);
});

test('an entry is found by the values of its fact', async () => {
  await addField('Favourite colour');
  expect((await readLog('search=FAVOURITE')).map(({ fact }) => fact?.values)).toEqual([
    { label: 'Favourite colour' },
  ]);
});

test('an entry is found by what its reader reads, of which the server knows the values alone', async () => {
  await addField('50% off');
  const find = async (search: string, said: object[]) => {
    const query = new URLSearchParams({ search });
    for (const [place, { type, values }] of (said as { type: string; values: object[] }[]).entries()) {
      query.set(`said[${place}][type]`, type);
      values.forEach((fit, at) => {
        for (const [name, value] of Object.entries(fit))
          query.set(`said[${place}][values][${at}][${name}]`, value);
      });
    }
    return (await readLog(String(query))).map(({ fact }) => fact?.values);
  };
  const type = 'custom_field.created';
  const fit = (at: string, text: string) =>
    find('no text', [{ type, values: [{ name: 'label', at, text }] }]);
  expect(await fit('start', '50% o')).toEqual([{ label: '50% off' }]);
  expect(await fit('start', '5_')).toEqual([]);
  expect(await fit('end', '% off')).toEqual([{ label: '50% off' }]);
  expect(await fit('end', '50%')).toEqual([]);
  expect(await fit('whole', '50% off')).toEqual([{ label: '50% off' }]);
  expect(await fit('whole', '50%')).toEqual([]);
  // With what is found by the text itself.
  expect(await find('favourite', [{ type, values: [{ name: 'label', at: 'start', text: '50' }] }])).toEqual([
    { label: '50% off' },
    { label: 'Favourite colour' },
  ]);
  // All entries of a fact whose words hold the text; the filters hold beside it.
  const every = await find('added custom', [{ type, values: [] }]);
  expect(every.length).toBe(
    Number((await query('SELECT count(*)::int AS n FROM activities WHERE fact_type = $1', [type])).rows[0].n),
  );
});
