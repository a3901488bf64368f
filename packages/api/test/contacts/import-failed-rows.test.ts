import { importLimits } from '@app/domain/contact-imports/contact-import';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteFailedRows } from '../../src/contact-imports/import-record.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Result = { id: string; successful: number; failed: number; hasFailedRows: boolean };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts; DELETE FROM erased_people'));

async function importText(text: string, query = ''): Promise<Result> {
  const response = await admin.request(`/api/contacts/imports${query}`, {
    method: 'POST',
    body: text,
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
  });
  expect(response.status).toBe(200);
  return response.json<Result>();
}

const download = (id: string, caller = admin) => caller.get(`/api/contacts/imports/${id}/failed-rows`);

describe('the rows of a CSV file that failed', () => {
  test('come back as they were with their reason, and go in again once they are mended', async () => {
    const result = await importText(
      'Name;Telefon;Notiz;tags\n' +
        'Ann;+447700900001;;vip\n' +
        'Bob;;=1+1;a,b\n' +
        '"Cat;+447700900003;x;\n' +
        "Dora;+447700900001;'=2+2;\n",
      `?mapping=${encodeURIComponent(JSON.stringify({ Name: 'name', Telefon: 'phone', tags: 'tags' }))}`,
    );
    expect(result).toMatchObject({ successful: 1, failed: 3, hasFailedRows: true });
    const response = await download(result.id);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /filename="failed-rows-\d{4}-\d\d-\d\d\.csv"/,
    );
    // Decoding a text takes its mark away; spreadsheets know Unicode by it.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    expect(text.split('\r\n')).toEqual([
      '\ufeffName;Telefon;Notiz;tags;Import error',
      `Bob;;'=1+1;"a,b";Row 2: Name and phone are required`,
      '"""Cat";+447700900003;x;;Row 3: A quote is opened and never closed',
      "Dora;+447700900001;'=2+2;;Row 4: Phone number +447700900001 already exists",
      '',
    ]);
    const mended = text.replace('Bob;', 'Bob;+447700900002').replace('"""Cat"', 'Cat');
    const mapping = encodeURIComponent(JSON.stringify({ Name: 'name', Telefon: 'phone', tags: 'tags' }));
    expect(await importText(mended, `?mapping=${mapping}`)).toMatchObject({ successful: 2, failed: 1 });
  });

  test('are there for nobody of another workspace', async () => {
    const { id } = await importText('name,phone\nAnn,\n');
    expect((await download(id, await api.asOther())).status).toBe(404);
    expect((await download(id)).status).toBe(200);
  });

  test('are told by a try as well', async () => {
    const { id } = await importText('name,phone\nAnn,\n', '?dryRun=1');
    expect(await (await download(id)).text()).toContain('Ann,,Row 1: Name and phone are required');
  });

  test('have their reason alone where a row is too long to be kept', async () => {
    const { id } = await importText(
      `name,phone,note\nAnn,,${'x'.repeat(importLimits.charactersOfKeptRow)}\n`,
    );
    expect((await (await download(id)).text()).split('\r\n')[1]).toBe(
      ',,,Row 1: Name and phone are required',
    );
  });
});

test('failed rows come with codes for whoever has words for them', async () => {
  const { id } = await importText('name,phone\nAnn,\nBob,12\n');
  expect(await (await admin.get(`/api/contacts/imports/${id}/failed-rows?as=codes`)).json()).toEqual({
    columns: { headings: ['name', 'phone'], delimiter: ',' },
    rows: [
      { row: 1, code: 'incomplete', values: {}, source: '["Ann",""]' },
      { row: 2, code: 'no_country', values: { phone: '12' }, source: '["Bob","12"]' },
    ],
  });
});

test('the elements of a JSON file that failed come back as JSON', async () => {
  const { id } = await importText('[{"name":"Ann","phone":"","shoe":{"size":38}}, 7]');
  const response = await download(id);
  expect(await response.json()).toEqual({
    contacts: [
      {
        ...{ name: 'Ann', phone: '', shoe: { size: 38 } },
        importError: 'Row 1: Name and phone are required',
      },
      { row: 2, value: 7, importError: 'Row 2: Name and phone are required' },
    ],
  });
});

describe('failed rows', () => {
  test('are for those who import in this workspace', async () => {
    const { id } = await importText('name,phone\nAnn,\n');
    expect((await download(id, await api.asOther())).status).toBe(404);
    expect((await download(id, await api.as('viewer'))).status).toBe(403);
    expect((await download('no-uuid')).status).toBe(404);
    const { id: clean } = await importText('name,phone\nBob,+447700900002\n');
    expect((await download(clean)).status).toBe(404);
  });

  test('go when their time is over', async () => {
    const { id } = await importText('name,phone\nAnn,\n');
    const later = (days: number) => ({
      ...{ db: api.db, facts: api.facts, logger: { info() {}, warn() {}, error() {} } },
      clock: () => new Date(Date.now() + days * 86_400_000),
    });
    await deleteFailedRows(later(importLimits.daysRowsKept - 1));
    expect((await download(id)).status).toBe(200);
    await deleteFailedRows(later(importLimits.daysRowsKept + 1));
    expect((await download(id)).status).toBe(404);
    const { rows } = await api.db.systemPool.query(
      'SELECT source, code FROM contact_import_errors WHERE import_id = $1',
      [id],
    );
    expect(rows).toEqual([{ source: null, code: 'incomplete' }]);
  });

  test('of somebody who is erased go with them, also where the number is written as at home', async () => {
    const ann = await admin.post('/api/contacts', { name: 'Ann', phone: '+491711234567' });
    const { id } = await importText('name,phone\nAnn Secret,0171 1234567\nBob,\n', '?country=DE');
    expect(await (await download(id)).text()).toContain('Ann Secret');
    const { id: contactId } = await ann.json<{ id: string }>();
    expect((await admin.post(`/api/contacts/${contactId}/erase`)).status).toBe(200);
    const text = await (await download(id)).text();
    expect(text).not.toMatch(/Secret|1234567/);
    expect(text).toContain('Bob,,Row 2: Name and phone are required');
    // Nor does a file of later on bring the row back.
    const again = await importText('name,phone\nAnn Secret,0171 1234567\n', '?country=DE');
    expect(await (await download(again.id)).text()).not.toMatch(/Secret|1234567/);
  });

  test('of somebody who is erased go with them, whatever is wrong with the row', async () => {
    const ann = await admin.post('/api/contacts', { name: 'Ann', phone: '+491711234567' });
    const file = 'name,phone,email\nAnn Secret,0171 1234567,ann@\nBob,0171 7654321,bob@\n';
    const { id } = await importText(file, '?country=DE');
    expect(await (await download(id)).text()).toContain('Ann Secret,0171 1234567');
    const { id: contactId } = await ann.json<{ id: string }>();
    expect((await admin.post(`/api/contacts/${contactId}/erase`)).status).toBe(200);
    for (const { id: importId } of [{ id }, await importText(file, '?country=DE')]) {
      const text = await (await download(importId)).text();
      expect(text).not.toMatch(/Secret|1234567/);
      expect(text).toContain('Bob,0171 7654321');
    }
  });
});
