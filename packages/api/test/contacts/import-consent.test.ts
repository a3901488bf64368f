import { changeConsent } from '@app/database/contacts/change-consent';
import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Result = { id: string; successful: number; failed: number; optOuts: number; optIns: number };
type Contact = { id: string; name: string; status: string; optedOutAt: string | null };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts; DELETE FROM suppression_list'));

async function importText(text: string, query = ''): Promise<Result & { errors: string[] }> {
  const response = await admin.request(`/api/contacts/imports?fileName=shop.csv${query}`, {
    method: 'POST',
    body: text,
    headers: { prefer: 'wait=50', 'content-type': 'text/csv' },
  });
  expect(response.status).toBe(200);
  const result = await response.json<Result>();
  const errors = await admin.get(`/api/contacts/imports/${result.id}/errors`);
  const { items } = await errors.json<{ items: { message: string }[] }>();
  return { ...result, errors: items.map(({ message }) => message) };
}

const stored = async () =>
  (await (await admin.get('/api/contacts?limit=200')).json<{ items: Contact[] }>()).items;
const find = async (name: string) => (await stored()).find((contact) => contact.name === name)!;
/** Who may get marketing, by name. */
const active = async () =>
  (await stored())
    .filter(({ optedOutAt, status }) => !optedOutAt && status === 'active')
    .map(({ name }) => name)
    .toSorted();

const addAnn = async () =>
  (await admin.post('/api/contacts', { name: 'Ann', phone: '+447700900001' })).json<Contact>();
const say = async (contactId: string, kind: 'opt_in' | 'opt_out', at: string) =>
  changeConsent(api.db.systemPool, [
    { workspaceId: api.workspaceId, contactId, kind, source: 'person', at: new Date(at), text: kind },
  ]);

test('a yes to SMS or mail is none to WhatsApp, unless it is stated to be; a no counts', async () => {
  const csv = 'name,phone,Accepts SMS Marketing\nAnn,+447700900001,yes\nBob,+447700900002,no\n';
  const json = JSON.stringify([{ name: 'Cat', phone: '+447700900003', acceptsEmailMarketing: true }]);
  const mapping = `&mapping=${encodeURIComponent('{"name":"name","phone":"phone","Accepts SMS Marketing":"consent"}')}`;
  expect(await importText(csv, '&consentStated=1&dryRun=1')).toMatchObject({ optIns: 0, optOuts: 1 });
  expect(await importText(csv, `&consentStated=1&dryRun=1${mapping}`)).toMatchObject({
    optIns: 0,
    optOuts: 1,
  });
  expect(await importText(json, '&consentStated=1&dryRun=1')).toMatchObject({ optIns: 0 });
  expect(await importText(json, '&consentStated=every-channel')).toMatchObject({ optIns: 1 });
  expect(await importText(csv, '&consentStated=every-channel')).toMatchObject({ optIns: 1, optOuts: 1 });
});

const undo = async ({ id }: Result) =>
  (await admin.post(`/api/contacts/imports/${id}/undo`)).json<Record<string, number>>();

test('whoever a file opts out gets no marketing, whatever the column and the language', async () => {
  const german = await importText(
    'name;phone;Newsletter\nAnn;+447700900001;nein\nBob;+447700900002;\nCat;+447700900003;ja',
  );
  expect(german).toMatchObject({ successful: 3, failed: 0, optOuts: 1, optIns: 0 });
  await importText('name,phone,Unsubscribed\nDora,+447700900004,true\nEmil,+447700900005,false');
  await importText('name,phone,status\nFay,+447700900006,unsubscribed\nGus,+447700900007,gesperrt');
  await importText('[{"name":"Hal","phone":"+447700900008","newsletter":false}]');
  expect(await active()).toEqual(['Bob', 'Cat', 'Emil']);
  const { id, status } = await find('Fay');
  expect(status).toBe('active');
  const { items } = await (await admin.get(`/api/contacts/${id}/consents`)).json<{ items: object[] }>();
  expect(items).toMatchObject([
    { kind: 'opt_out', source: 'staff', text: 'shop.csv: unsubscribed', recordedBy: expect.any(String) },
  ]);
});

test('yes counts only where the owner states that people agreed', async () => {
  const file = 'name,phone,consent\nAnn,+447700900001,yes\n';
  const consentsOf = async () => {
    const { id } = await find('Ann');
    return (await (await admin.get(`/api/contacts/${id}/consents`)).json<{ items: object[] }>()).items;
  };
  expect(await importText(file)).toMatchObject({ successful: 1, optIns: 0 });
  expect(await consentsOf()).toEqual([]);
  expect(await importText(file, '&duplicates=update&consentStated=1')).toMatchObject({ optIns: 1 });
  expect(await consentsOf()).toMatchObject([{ kind: 'opt_in', text: 'shop.csv: yes' }]);
});

test('what is neither yes nor no fails its row alone', async () => {
  const result = await importText(
    'name,phone,consent,opted out\nAnn,+447700900001,weekly,\nBob,+447700900002,,perhaps\nCat,+447700900003,no,',
  );
  expect(result.errors).toEqual([
    'Row 1: The marketing consent is neither yes nor no',
    'Row 2: The opt-out is neither yes nor no',
  ]);
  expect((await stored()).map(({ name }) => name)).toEqual(['Cat']);
});

describe('a word of the file and words of the person', () => {
  const yes = (day: string) => `name,phone,consent\nAnn,+447700900001,${day}\n`;
  const update = '&duplicates=update&consentStated=1';

  test.each([
    ['without a day', 'yes'],
    ['from before the STOP', '2026-01-01'],
  ])('an opt-in %s opts nobody in again', async (_, cell) => {
    const { id } = await addAnn();
    await say(id, 'opt_out', '2026-02-01T10:00:00Z');
    expect(await importText(yes(cell), update)).toMatchObject({ successful: 1 });
    expect(await active()).toEqual([]);
  });

  test('an opt-in without a day outdoes no STOP that arrives late', async () => {
    await importText(yes('yes'), update);
    await say((await find('Ann')).id, 'opt_out', '2026-02-01T10:00:00Z');
    expect(await active()).toEqual([]);
  });

  test('an opt-in without a day outdoes no STOP that stayed with the number', async () => {
    const { id } = await addAnn();
    await say(id, 'opt_out', '2026-02-01T10:00:00Z');
    const { version } = await (await admin.get(`/api/contacts/${id}`)).json<{ version: number }>();
    await admin.patch(`/api/contacts/${id}`, { version, name: 'Ann before', phone: '+447700900009' });
    expect(await importText(yes('yes'), update)).toMatchObject({ optIns: 0 });
    expect(await active()).not.toContain('Ann');
  });

  longTest('an opt-out with a day gives way to a later START, one without holds', async () => {
    const { id } = await addAnn();
    await say(id, 'opt_in', '2026-02-01T10:00:00Z');
    const no = (day: string) => `name,phone,opted out\nAnn,+447700900001,${day}\n`;
    await importText(no('2026-01-01'), '&duplicates=update');
    expect(await active()).toEqual(['Ann']);
    await importText(no('yes'), '&duplicates=update');
    expect(await active()).toEqual([]);
  });

  test('a row that is skipped changes nothing', async () => {
    await addAnn();
    expect(await importText('name,phone,consent\nAnn,+447700900001,no\n')).toMatchObject({
      failed: 1,
      optOuts: 0,
    });
    expect(await active()).toEqual(['Ann']);
  });
});

describe('of somebody who is in the file twice', () => {
  const update = '&duplicates=update';
  const file = (first: string, second: string) =>
    `name,phone,consent\nAnn One,+447700900001,${first}\nAnn Two,+44 7700 900001,${second}\n`;

  test.each([
    ['added', ''],
    ['updated', update],
  ])('a no of the second row holds when the first is %s', async (_, rule) => {
    if (rule) await addAnn();
    const query = `${rule}&consentStated=1`;
    const outcome = { successful: 1, failed: 1, optOuts: 1, optIns: 0 };
    expect(await importText(file('yes', 'no'), `${query}&dryRun=1`)).toMatchObject(outcome);
    const done = await importText(file('yes', 'no'), query);
    expect(done).toMatchObject(outcome);
    expect(await active()).toEqual([]);
    await undo(done);
    expect(await active()).toEqual(rule ? ['Ann'] : []);
  });

  test.each([
    ['a no outdoes an empty cell', '', 'no', true],
    ['a no without a day outdoes a yes with one', '2026-01-01', 'no', true],
    ['a yes says nothing for the first row', '', 'yes', false],
  ])('%s', async (_, first, second, isOut) => {
    await importText(file(first, second), '&consentStated=1');
    expect(await active()).toEqual(isOut ? [] : ['Ann One']);
  });

  test('a yes with a later day than the no holds', async () => {
    await importText(
      'name,phone,consent,opted out\nAnn,+447700900001,2026-02-01,\nAnn,+447700900001,,2026-01-01\n',
      '&consentStated=1',
    );
    expect(await active()).toEqual(['Ann']);
  });

  test('nothing of it reaches people whose rows are skipped', async () => {
    await addAnn();
    expect(await importText(file('yes', 'no'))).toMatchObject({ failed: 2, optOuts: 0 });
    expect(await active()).toEqual(['Ann']);
  });
});

describe('a row that fails and says no', () => {
  const update = '&duplicates=update';
  const heading = 'name,phone,email,unsubscribed\n';

  longTest.each([
    ['a wrong address', `${heading}Ann,+447700900001,nobody at all,yes\n`],
    ['no name', `${heading},+447700900001,,yes\n`],
    ['more cells than columns at its end', `${heading}Ann,+447700900001,,yes,too much\n`],
    ['more cells than columns in its midst', `${heading}Ann,+447700900001,a,b,yes\n`],
    ['a name with a comma', `${heading}Doe,Ann,+447700900001,,yes\n`],
    ['a wrong quote', `${heading}An"n,+447700900001,,"yes"\n`],
    [
      'another column that nobody understands',
      'name,phone,consent,opted out\nAnn,+447700900001,who knows,yes\n',
    ],
  ])('with %s opts its person out all the same; undo takes it back', async (_, file) => {
    await addAnn();
    const outcome = { successful: 0, failed: 1, optOuts: 1 };
    expect(await importText(file, `${update}&dryRun=1`)).toMatchObject(outcome);
    expect(await active()).toEqual(['Ann']);
    const done = await importText(file, update);
    expect(done).toMatchObject(outcome);
    expect(await active()).toEqual([]);
    expect(await undo(done)).toMatchObject({ removed: 0 });
    expect(await active()).toEqual(['Ann']);
  });

  test('is no reason to opt out who is added by another row of a later yes', async () => {
    const file =
      'name,phone,email,consent,opted out\nAnn,+447700900001,not one,,2026-01-01\nAnn,+447700900001,,2026-02-01,\n';
    expect(await importText(file, '&consentStated=1')).toMatchObject({ successful: 1, optOuts: 0 });
    expect(await active()).toEqual(['Ann']);
  });

  test('opts out who is added by another row', async () => {
    const file = `${heading}Ann,+447700900001,not one,yes\nAnn,+447700900001,,\n`;
    expect(await importText(file)).toMatchObject({ successful: 1, failed: 1, optOuts: 1 });
    expect(await active()).toEqual([]);
  });

  test('speaks of the contact into which its number was merged', async () => {
    const ann = await addAnn();
    const other = await (
      await admin.post('/api/contacts', { name: 'Ann Two', phone: '+447700900002' })
    ).json<Contact>();
    const merged = await admin.post('/api/contacts/merges', {
      mergeId: newId(),
      survivorId: ann.id,
      contacts: [ann, other].map(({ id }) => ({ contactId: id, version: 1 })),
    });
    expect(merged.status).toBe(200);
    expect(await active()).toHaveLength(1);
    expect(await importText(`${heading}Ann,+447700900002,,yes\n`, update)).toMatchObject({
      failed: 1,
      optOuts: 1,
    });
    expect(await active()).toEqual([]);
  });

  test('changes nothing where people who are here are skipped', async () => {
    await addAnn();
    expect(await importText(`${heading}Ann,+447700900001,not one,yes\n`)).toMatchObject({
      failed: 1,
      optOuts: 0,
    });
    expect(await active()).toEqual(['Ann']);
  });
});

test('a try says how many would be opted out and in, and records nothing', async () => {
  await addAnn();
  const file = 'name,phone,consent\nAnn,+447700900001,no\nBob,+447700900002,no\nCat,+447700900003,yes\n';
  const tried = '&dryRun=1&consentStated=1';
  expect(await importText(file, tried)).toMatchObject({ optOuts: 1, optIns: 1 });
  expect(await importText(file, `${tried}&duplicates=update`)).toMatchObject({ optOuts: 2, optIns: 1 });
  expect(await active()).toEqual(['Ann']);
});

describe('an import that is taken back', () => {
  const file = 'name,phone,consent\nAnn,+447700900001,no\nBob,+447700900002,no\nCat,+447700900003,no\n';

  test('takes back what it said, of those whom it added and those whom it changed', async () => {
    await addAnn();
    const done = await importText(file, '&duplicates=update');
    expect(await active()).toEqual([]);
    expect(await undo(done)).toEqual({ removed: 2, restored: 1, kept: 0 });
    expect(await active()).toEqual(['Ann']);
    // Nothing of it stays with the numbers either.
    await importText('name,phone\nBob,+447700900002\n');
    expect(await active()).toEqual(['Ann', 'Bob']);
  });

  test('leaves what people said, and whoever was edited since, as they are', async () => {
    const { id } = await addAnn();
    await say(id, 'opt_out', '2026-02-01T10:00:00Z');
    const done = await importText(file, '&duplicates=update');
    const bob = await find('Bob');
    await admin.patch(`/api/contacts/${bob.id}`, { version: 1, name: 'Bobby' });
    expect(await undo(done)).toEqual({ removed: 1, restored: 1, kept: 1 });
    expect((await stored()).map(({ name }) => name).toSorted()).toEqual(['Ann', 'Bobby']);
    expect(await active()).toEqual([]);
    expect(await find('Ann')).toMatchObject({ optedOutAt: '2026-02-01T10:00:00.000Z' });
  });
});
