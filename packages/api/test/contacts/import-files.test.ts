import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { readCsvHeader } from '@app/domain/contact-imports/csv-reader';
import { guessMapping } from '@app/domain/contact-imports/import-mapping';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import * as samples from './sample-files.ts';

type Result = {
  id: string;
  successful: number;
  updated: number;
  failed: number;
  encoding: string;
  optIns: number;
  twofold: number;
};
type Contact = { name: string; phone: string; email: string; tags: string[]; optedOutAt: string | null };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

const send = (bytes: Uint8Array | string, choices: Record<string, string> = {}) =>
  admin.request(`/api/contacts/imports?${new URLSearchParams(choices)}`, {
    method: 'POST',
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
  });
const importFile = async (bytes: Uint8Array | string, choices?: Record<string, string>) => {
  const answer = await send(bytes, choices);
  expect(answer.status).toBe(200);
  return answer.json<Result>();
};
const list = async (filter = ''): Promise<Contact[]> =>
  (await (await admin.get(`/api/contacts?limit=200${filter}`)).json<{ items: Contact[] }>()).items;
const reasonsOf = async (id: string) =>
  (await (await admin.get(`/api/contacts/imports/${id}/reasons`)).json<{ items: object[] }>()).items;

/** The guess that the dialog begins with. */
function guess(bytes: Buffer, letters: BufferEncoding = 'utf8'): string {
  return JSON.stringify(guessMapping(readCsvHeader(bytes.toString(letters)).cells, []));
}

describe('a file of another program is understood as it is', () => {
  test.each([
    ['Shopify', samples.writeShopify(40), '+4915'],
    ['WooCommerce', samples.writeWooCommerce(40), '+49171'],
    ['HubSpot', samples.writeHubSpot(40), '+49'],
    ['a German shop of Windows', samples.writeGermanShop(40), '+49171'],
  ])('of %s', async (_, bytes, numbers) => {
    const result = await importFile(bytes, { country: 'DE', mapping: guess(bytes, 'latin1') });
    expect(result).toMatchObject({ successful: 40, failed: 0 });
    const contacts = await list();
    expect(contacts.every(({ phone }) => phone.startsWith(numbers))).toBe(true);
    const { first, last, email } = samples.personOf(0);
    expect(contacts[0]).toMatchObject({ name: `${first} ${last}`, email });
  });

  test('a workbook: formulas as their values, days, numbers without their zero, and its first sheet alone', async () => {
    await admin.post('/api/custom-fields', { label: 'Anniversaire', type: 'date' });
    const mapping = JSON.stringify([
      'firstName',
      'lastName',
      'phone',
      'email',
      'custom:anniversaire',
      'consent',
    ]);
    const result = await importFile(samples.writeFrenchWorkbook(30), { country: 'FR', mapping });
    expect(result).toMatchObject({ successful: 30, failed: 0, encoding: 'utf-8' });
    const { first, last } = samples.personOf(0);
    expect((await list())[0]).toMatchObject({
      ...{ name: `${first} ${last}`, phone: '+33612345000' },
      customFields: { anniversaire: '2025-12-09' },
    });
    const notes = await importFile(samples.writeFrenchWorkbook(1), { sheet: 'Notes' });
    expect(notes).toMatchObject({ successful: 1 });
    const gone = await send(samples.writeFrenchWorkbook(1), { sheet: 'Other' });
    expect(await gone.json()).toMatchObject({ error: { message: 'The file has no sheet Other.' } });
  });

  longTest('5,000 rows of a shop in two encodings: each good row', async () => {
    const bytes = samples.writeMixedShop(5_000);
    const result = await importFile(bytes, { country: 'DE', mapping: guess(bytes) });
    expect(result).toMatchObject({ successful: 4_500, failed: 500, encoding: 'mixed' });
    const names = (await list('&sort=oldest')).map(({ name }) => name);
    expect(names.some((name) => name.includes('\ufffd') || name.includes('Ã'))).toBe(false);
    expect(await reasonsOf(result.id)).toEqual([{ code: 'no_country', values: {}, rows: 500 }]);
  });
});

describe('a workbook made to do harm', () => {
  const rest = { 'xl/_rels/workbook.xml.rels': '', 'xl/workbook.xml': '' };
  test.each([
    [
      'an archive that is none',
      Buffer.from([0x50, 0x4b, 0x03, 0x04, 1, 2, 3]),
      /no Excel file that can be read/,
    ],
    ['an archive of something else', samples.writeZip({ 'a.txt': 'a' }), /no Excel file that can be read/],
    ['parts without sheets', samples.writeZip(rest), /no Excel file that can be read/],
    [
      'a part that is larger than it says',
      samples.writeZip({ ...rest, 'xl/workbook.xml': ' '.repeat(100_000) }, 10),
      /no Excel file/,
    ],
    ['an old Excel file', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /old Excel file/],
    ['a PDF', Buffer.from('%PDF-1.7'), /^Please select a JSON or CSV file\.$/],
  ])('%s is refused at once', async (_, bytes, sentence) => {
    const answer = await send(bytes);
    expect(answer.status).toBe(422);
    expect((await answer.json<{ error: { message: string } }>()).error.message).toMatch(sentence);
  });
});

describe('what is said for a whole file', () => {
  test('the other numbers of a row stand in, and a number that a spreadsheet rounded is refused', async () => {
    const csv =
      'Name;Mobil;Telefon\nAnn;;030 1234567\nBob;0171 1234567;030 1234568\nCat;4,91512E+11;\nDan;4.91512E+11;030 1234569\n';
    const mapping = JSON.stringify(['name', 'phone', 'otherPhone']);
    const result = await importFile(csv, { country: 'DE', mapping });
    expect(result).toMatchObject({ successful: 3, failed: 1 });
    expect((await list('&sort=name')).map(({ phone }) => phone)).toEqual([
      ...['+49301234567', '+491711234567', '+49301234569'],
    ]);
    const errors = await admin.get(`/api/contacts/imports/${result.id}/errors?code=rounded_phone`);
    expect(await errors.json()).toMatchObject({ items: [{ row: 3, values: { phone: '4,91512E+11' } }] });
    expect(
      await (await admin.get(`/api/contacts/imports/${result.id}/errors?code=taken`)).json(),
    ).toMatchObject({
      items: [],
    });
  });

  test('tags for everybody; a choice that is none is refused by its name', async () => {
    const csv = 'name,phone,tags\nAnn,+447700900001,vip\nBob,+447700900002,\n';
    await importFile(csv, { tags: 'fair, "Berlin, Mitte"' });
    expect((await list('&sort=name')).map(({ tags }) => tags)).toEqual([
      ['vip', 'fair', 'Berlin, Mitte'],
      ['fair', 'Berlin, Mitte'],
    ]);
    for (const [field, value] of Object.entries({
      ...{ tags: 'x'.repeat(61), agreedWhere: 'At the fair', country: 'XX', mapping: '["shoe"]' },
      ...{ headings: '0', duplicates: 'both' },
    })) {
      const answer = await send(csv, { [field]: value });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({
        error: { details: { field: field === 'headings' ? 'mapping' : field } },
      });
    }
  });

  test('a file without headings is read by the places of its columns, and its failed rows go in again', async () => {
    const mapping = JSON.stringify(['name', 'phone', null]);
    const csv = 'Ann,0171 1234567,x\nBob,,y\n';
    const result = await importFile(csv, { headings: '0', mapping, country: 'DE' });
    expect(result).toMatchObject({ successful: 1, failed: 1 });
    const file = await (await admin.get(`/api/contacts/imports/${result.id}/failed-rows`)).text();
    expect(file.split('\r\n').slice(0, 2)).toEqual([
      'name,phone,Column 3,Import error',
      'Bob,,y,Row 2: Name and phone are required',
    ]);
    expect(await importFile(file.replace('Bob,', 'Bob,0171 1234568'), { country: 'DE' })).toMatchObject({
      ...{ successful: 1, failed: 0 },
    });
  });

  test('that everybody agreed is recorded with where and when, and overrules nobody who said no', async () => {
    const csv = (of: string) => `name,phone,newsletter\nAnn,+447700900001,\nBob,+447700900002,${of}\n`;
    const stated = { agreedWhere: 'Signed at the fair', agreedOn: '2026-01-02', duplicates: 'update' };
    expect(await importFile(csv('no'), { ...stated, fileName: 'fair.csv' })).toMatchObject({
      optIns: 1,
      optOuts: 1,
    });
    const consentsOf = async (name: string) => {
      const [found] = await list(`&search=${name}`);
      const { id } = found as unknown as { id: string };
      return (await (await admin.get(`/api/contacts/${id}/consents`)).json<{ items: object[] }>()).items;
    };
    expect(await consentsOf('Ann')).toMatchObject([
      { kind: 'opt_in', text: 'fair.csv: Signed at the fair', occurredAt: '2026-01-02T00:00:00.000Z' },
    ]);
    // A later day of the file changes nothing of that.
    const yes = await importFile(csv('2026-11-20'), {
      ...stated,
      agreedOn: '2026-11-20',
      consentStated: '1',
    });
    expect(yes).toMatchObject({ optIns: 1 });
    expect(await consentsOf('Bob')).toMatchObject([{ kind: 'opt_out' }]);
    expect((await list('&search=Bob'))[0]?.optedOutAt).not.toBeNull();
  });
});

test('the people of an import are those whom it added and those whom it found; its undo leaves who stayed the same', async () => {
  const csv = 'name,phone\nAnn,+447700900001\nBob,+447700900002\n';
  const first = await importFile(csv);
  const second = await importFile(`${csv}Cat,+447700900003\n`, { duplicates: 'update' });
  expect(second).toMatchObject({ successful: 3, updated: 2 });
  const namesOf = async (id: string) => (await list(`&importId=${id}&sort=name`)).map(({ name }) => name);
  expect(await namesOf(first.id)).toEqual(['Ann', 'Bob']);
  expect(await namesOf(second.id)).toEqual(['Ann', 'Bob', 'Cat']);
  const counted = await admin.post('/api/campaigns/audience-size', {
    audience: { filter: { importId: second.id } },
  });
  expect(await counted.json()).toMatchObject({ chosen: 3 });
  const undone = await admin.post(`/api/contacts/imports/${second.id}/undo`);
  expect(await undone.json()).toEqual({ removed: 1, restored: 0, kept: 0 });
  expect(await namesOf(second.id)).toEqual([]);
  expect((await (await api.asOther()).get(`/api/contacts/imports/${first.id}/reasons`)).status).toBe(404);
});

test('numbers that can be read in two ways are counted, and read as was chosen', async () => {
  const file = 'name,phone\nAnn,33612345678\nBob,0171 2345678\nCat,+33612345679\n';
  const tried = await importFile(file, { country: 'DE', dryRun: '1' });
  expect(tried).toMatchObject({ successful: 3, failed: 0, twofold: 1 });
  const home = await importFile(file, { country: 'DE', twofold: 'home', dryRun: '1' });
  expect(home).toMatchObject({ successful: 3, twofold: 1 });
  await importFile(file, { country: 'DE' });
  const numbers = (await list()).map(({ phone }) => phone);
  expect(numbers.toSorted()).toEqual(['+33612345678', '+33612345679', '+491712345678']);
  await importFile(file, { country: 'DE', twofold: 'home' });
  expect((await list()).map(({ phone }) => phone)).toContain('+4933612345678');
  expect((await send(file, { twofold: 'both' })).status).toBe(422);
});

test('without a country all numbers without plus or 00 that are read by their first digits are counted', async () => {
  const file = 'name,phone\nAnn,626152275\nBob,0034644115149\nCat,+33612345679\nDan,0171 2345678\n';
  const tried = await importFile(file, { dryRun: '1' });
  expect(tried).toMatchObject({ successful: 3, failed: 1, twofold: 1 });
  expect(await importFile(file)).toMatchObject({ successful: 3, twofold: 1 });
  expect((await list()).map(({ phone }) => phone)).toContain('+626152275');
  expect(await importFile(file, { country: 'ES', dryRun: '1' })).toMatchObject({ twofold: 0 });
});

test('numbers are asked about before they are imported', async () => {
  const numbers = ['33612345678', '0171 2345678', '15123456789', '447700900123'];
  const answer = await admin.post('/api/contacts/imports/numbers', { country: 'DE', numbers });
  expect(await answer.json()).toEqual({
    twofold: 2,
    examples: [
      { written: '33612345678', home: '+4933612345678', international: '+33612345678' },
      { written: '447700900123', home: '+49447700900123', international: '+447700900123' },
    ],
  });
});

test('a number without a code is of the country that the settings say, else of the number that sends', async () => {
  const countryOf = async () => (await admin.get('/api/contacts/home-country')).json();
  expect(await countryOf()).toEqual({ country: null });
  const { version } = await (await admin.get('/api/settings/general')).json<{ version: number }>();
  expect((await admin.put('/api/settings/general', { version, country: 'DE' })).status).toBe(200);
  expect(await countryOf()).toEqual({ country: 'DE' });
  const added = await admin.post('/api/contacts', { name: 'Ann', phone: '0171 1234567', country: 'DE' });
  expect(await added.json()).toMatchObject({ phone: '+491711234567' });
  expect((await admin.post('/api/contacts', { name: 'Bob', phone: '0171 1234568' })).status).toBe(422);
});
