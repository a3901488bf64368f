import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { importLimits } from '@app/domain/contact-imports/contact-import';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

type Result = { id: string; state: string; successful: number; failed: number; total: number };
type Row = { name: string; phone: string; email: string | null; tags: string[]; status: string };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

/** Progress is written every half second. */

const send = (body: RequestInit['body'], query = ''): Promise<ApiResponse> =>
  admin.request(`/api/contacts/imports${query}`, {
    method: 'POST',
    body: body ?? null,
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });

async function importText(text: string): Promise<Result & { errors: string[] }> {
  const response = await send(text);
  expect(response.status).toBe(200);
  const result = await response.json<Result>();
  const errors = await (
    await admin.get(`/api/contacts/imports/${result.id}/errors`)
  ).json<{
    items: { message: string }[];
  }>();
  return { ...result, errors: errors.items.map(({ message }) => message) };
}

async function refusalOf(body: RequestInit['body']): Promise<string> {
  const response = await send(body);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(await stored()).toEqual([]);
  return (await response.json<{ error: { message: string } }>()).error.message;
}

async function stored(): Promise<Row[]> {
  const { items } = await (await admin.get('/api/contacts?limit=200')).json<{ items: Row[] }>();
  return items.map(({ name, phone, email, tags, status }) => ({ name, phone, email, tags, status }));
}

/** The body in pieces of these texts, repeated: a file that is never whole in memory. */
function stream(piece: string, times: number, start = '', end = ''): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(piece);
  let left = times;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(start)),
    pull(controller) {
      if (left > 0) controller.enqueue(bytes);
      else {
        if (end) controller.enqueue(encoder.encode(end));
        controller.close();
      }
      left -= 1;
    },
  });
}

describe('a CSV file', () => {
  test('becomes contacts in the order of the file; bad rows are told apart', async () => {
    await admin.post('/api/contacts', { name: 'Here', phone: '+447700900001' });
    const result = await importText(
      [
        'Phone,NAME,Status,Tags,Email,Shoe size',
        '+44 7700 900002,Ann,blocked,vip; new;;vip,ann@example.com,38',
        ',Bob,active,,,',
        '+447700900003,,active,,,',
        '+447700900001,Here again,,,,',
        '+44 (7700) 900002,Ann again,,,,',
        '+99912345678,Nowhere,,,,',
        '',
        '"+447700900004","Carl ""the"" Great, Sr.",Blocked,,,',
        '+447700900005,Dora,active,a,b,c,too much',
      ].join('\r\n'),
    );
    expect(result).toMatchObject({ state: 'done', successful: 2, failed: 6, total: 8 });
    expect(result.errors).toEqual([
      'Row 2: Name and phone are required',
      'Row 3: Name and phone are required',
      'Row 4: Phone number +447700900001 already exists',
      'Row 5: Phone number +44 (7700) 900002 already exists',
      'Row 6: +99912345678 is not a phone number that any country has; it needs the country code, such as +44',
      'Row 8: There are more values than columns',
    ]);
    expect(await stored()).toEqual([
      {
        name: 'Ann',
        phone: '+447700900002',
        email: 'ann@example.com',
        tags: ['vip', 'new'],
        status: 'blocked',
      },
      { name: 'Carl "the" Great, Sr.', phone: '+447700900004', email: null, tags: [], status: 'active' },
      { name: 'Here', phone: '+447700900001', email: null, tags: [], status: 'active' },
    ]);
  });

  test.each([
    ['a missing column', 'name,email\nAnn,a@b.c\n', /^Line 1 has no column phone/],
    ['a wrong quote in its first line', '"na"me,phone\nAnn,+447700900001\n', /^Line 1: a quote stands/],
    ['an open quote in its first line', 'name,"phone\nAnn,+447700900001\n', /^Line 1: a quote is opened/],
    ['a NUL byte', 'name,phone\nAnn,+447700900001\nB\0b,+447700900002\n', /^Line 3 contains a NUL/],
    ['nothing', ' \n', /^The file is empty/],
  ])('with %s imports nothing and says which line', async (_, text, sentence) => {
    expect(await refusalOf(text)).toMatch(sentence);
  });

  test('has no rows where every cell is empty', async () => {
    const text = 'name;phone;email\nAnn;+447700900001;\n;;\n ; ;;;\n;+447700900002;\n';
    const result = await importText(text);
    expect(result).toMatchObject({ successful: 1, failed: 1, total: 2 });
    expect(result.errors).toEqual(['Row 2: Name and phone are required']);
  });

  test('with stray quotes loses the rows in which they stand, and no others', async () => {
    const result = await importText(
      [
        'name,phone,note',
        'Ann,+447700900001,',
        'B"o"b,+447700900002,',
        '"Carl,+447700900003,',
        'Dora,+447700900004,"""fine"", she said"',
        'Emil,+447700900005,17" screen',
        '"Fay","+447700900006","two\nlines"',
      ].join('\n'),
    );
    expect(result).toMatchObject({ successful: 3, failed: 3, total: 6 });
    expect(result.errors).toEqual([
      'Row 2: A quote stands in the wrong place; write a quote inside quotes twice',
      'Row 3: A quote is opened and never closed',
      'Row 5: A quote stands in the wrong place; write a quote inside quotes twice',
    ]);
    expect((await stored()).map(({ name }) => name)).toEqual(['Ann', 'Dora', 'Fay']);
  });

  test('may separate tags by commas, semicolons or bars, and goes out so that it comes back', async () => {
    await importText(
      'name;phone;tags\nAnn;+447700900001;vip, new\nBob;+447700900002;"vip;""Berlin, Mitte"""\nCat;+447700900003;a|b',
    );
    const tagsOf = async () => (await stored()).map(({ tags }) => tags);
    const tags = [
      ['vip', 'new'],
      ['vip', 'Berlin, Mitte'],
      ['a', 'b'],
    ];
    expect(await tagsOf()).toEqual(tags);
    const file = await (await admin.get('/api/contacts/export?format=csv')).text();
    await api.db.systemPool.query('DELETE FROM contacts');
    await importText(file);
    expect(await tagsOf()).toEqual(tags);
  });

  test('in two encodings is read line by line; a line of both loses its row', async () => {
    const utf8 = (text: string) => [...new TextEncoder().encode(text)];
    const bytes = new Uint8Array([
      ...utf8('name,phone\nÉmile,+33612345678\nRen'),
      ...[0xe9, ...utf8(',+33612345679\nZo'), 0xeb, ...utf8(' Émile,+33612345670\n')],
    ]);
    const response = await send(bytes);
    expect(await response.json()).toMatchObject({ successful: 2, failed: 1, encoding: 'mixed' });
    expect((await stored()).map(({ name }) => name)).toEqual(['Émile', 'René']);
  });

  test('in Windows-1252 is read, and its import says so', async () => {
    const bytes = Buffer.from('name,phone\nRené Müller,+33612345678\n', 'latin1');
    expect(await (await send(new Uint8Array(bytes))).json()).toMatchObject({
      ...{ successful: 1, failed: 0, encoding: 'windows-1252' },
    });
    expect((await stored())[0]).toMatchObject({ name: 'René Müller' });
  });

  test('in UTF-16 with its mark is read', async () => {
    const bytes = new Uint8Array(Buffer.from('\ufeffname,phone\nÉmile,+33612345678\n', 'utf16le'));
    expect(await (await send(bytes)).json()).toMatchObject({ successful: 1, failed: 0 });
  });
});

describe('a JSON file', () => {
  const ann = {
    name: 'Ann',
    phone: '+447700900001',
    email: 'ann@example.com',
    tags: ['vip', ''],
    status: 'blocked',
  };

  test.each([
    ['an array', JSON.stringify([ann, { name: 'Bob' }, 7], null, 2)],
    [
      'a field of an object',
      JSON.stringify({ a: { contacts: [1] }, b: '"[', contacts: [ann, { name: 'Bob' }, 7] }),
    ],
  ])('with contacts in %s', async (_, text) => {
    const result = await importText(text);
    expect(result).toMatchObject({ successful: 1, failed: 2, total: 3 });
    expect(result.errors).toEqual([
      'Row 2: Name and phone are required',
      'Row 3: Name and phone are required',
    ]);
    expect(await stored()).toEqual([
      { name: 'Ann', phone: '+447700900001', email: 'ann@example.com', tags: ['vip'], status: 'blocked' },
    ]);
  });

  test('is read by the keys of other programs, and by a mapping', async () => {
    const people = [
      { firstName: 'Ann', lastName: 'Lee', Mobile: '+447700900001', 'E-Mail': 'ann@example.com', note: 'x' },
      { vorname: 'Bob', nachname: 'Ray', Telefon: '+447700900002' },
    ];
    expect(await importText(JSON.stringify(people))).toMatchObject({ successful: 2, failed: 0 });
    expect(await stored()).toMatchObject([
      { name: 'Ann Lee', phone: '+447700900001', email: 'ann@example.com', tags: [] },
      { name: 'Bob Ray', phone: '+447700900002' },
    ]);
    await api.db.systemPool.query('DELETE FROM contacts');
    const mapping = JSON.stringify({ note: 'tags', lastName: 'name', Mobile: 'phone' });
    await send(JSON.stringify(people), `?mapping=${encodeURIComponent(mapping)}`);
    expect(await stored()).toMatchObject([{ name: 'Lee', email: null, tags: ['x'] }]);
  });

  test.each([
    ['{"people": []}', 'Invalid JSON format. Expected an array of contacts.'],
    ['{"contacts": {"name": "Ann"}}', 'Invalid JSON format. Expected an array of contacts.'],
    ['[{"name": "Ann", }]', 'Line 1 is not valid JSON.'],
    ['[{"name": "Ann"}\n', 'The JSON ends in line 2 before it is complete.'],
    ['[1,]', 'Line 1 is not valid JSON.'],
    ['[1] 2', 'Line 1 is not valid JSON.'],
  ])('%s', async (text, sentence) => {
    expect(await refusalOf(text)).toBe(sentence);
  });

  test('a character that no database keeps is left out', async () => {
    await importText('[{"name": "A\\u0000nn\\ud800", "phone": "+447700900001"}]');
    expect(await stored()).toMatchObject([{ name: 'Ann\ufffd' }]);
  });
});

describe('a file made to do harm', () => {
  test.each([
    ['one endless line', () => stream('a'.repeat(65_536), 16_384, 'name,phone\n'), /longer than a million/],
    [
      'ten million columns',
      () => stream('c,'.repeat(50_000), 200, 'name,phone,'),
      /^Line 1 has more than 1000 columns/,
    ],
    [
      'a row of a hundred million commas',
      () => stream(','.repeat(1_000_000), 100, 'name,phone\nAnn,+447700900001\n'),
      /^Line 3 has more than 1000 columns/,
    ],
    ['JSON nested 100,000 deep', () => stream('['.repeat(1_000), 100), /nested too deeply/],
    [
      'one endless JSON text',
      () => stream('a'.repeat(65_536), 16_384, '[{"name":"'),
      /longer than a million/,
    ],
  ])('%s is refused with a clear sentence', async (_, body, sentence) => {
    expect(await refusalOf(body())).toMatch(sentence);
  });
});

longTest('of rows that fail in great numbers the first are kept, and all are counted', async () => {
  const badRow = `,${'9'.repeat(100)}\n`;
  const rows = importLimits.errorsKept + 2_000;
  const response = await send(
    stream(badRow.repeat(1_000), rows / 1_000, 'name,phone\n', 'Ann,+447700900001\n'),
  );
  const { id } = await response.json<Result>();
  // So many rows may take longer than the answer waits.
  await expect
    .poll(async () => (await admin.get(`/api/operations/${id}`)).json<Result>())
    .toMatchObject({ state: 'done', total: rows + 1 });
  const result = await (await admin.get(`/api/contacts/imports/${id}`)).json<Result>();
  expect(result).toMatchObject({ state: 'done', successful: 1, failed: rows, total: rows + 1 });
  const { rows: kept } = await api.db.systemPool.query(
    `SELECT count(*)::int AS n, max(row_number) AS last, max(length("values"::text)) AS longest
       FROM contact_import_errors WHERE import_id = $1`,
    [result.id],
  );
  expect(kept[0]).toMatchObject({ n: importLimits.errorsKept, last: importLimits.errorsKept });
  expect(kept[0].longest).toBeLessThanOrEqual(importLimits.charactersOfValue + 20);
});

describe('a long import', () => {
  test('shows how far it is and leaves nothing when cancelled', async () => {
    const importId = newId();
    let proceed = () => {};
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('name,phone\nAnn,+447700900001\n'));
        await gate;
        controller.close();
      },
    });
    const answer = send(body, `?importId=${importId}&fileName=people.csv`);
    const progress = async () => (await admin.get(`/api/operations/${importId}`)).json<Result>();
    await expect.poll(progress).toMatchObject({
      ...{ kind: 'contact-import', state: 'queued', phase: 'receiving', name: 'people.csv', done: 29 },
    });
    expect((await admin.post(`/api/operations/${importId}/cancel`)).status).toBe(200);
    await expect.poll(progress).toMatchObject({ state: 'cancelled' });
    proceed();
    expect(await (await answer).json()).toMatchObject({ state: 'cancelled', successful: 0 });
    expect(await stored()).toEqual([]);
  });

  longTest('an id is used once, and other workspaces do not see it', async () => {
    const importId = newId();
    expect((await send('name,phone\n', `?importId=${importId}`)).status).toBe(200);
    expect((await send('name,phone\n', `?importId=${importId}`)).status).toBe(409);
    const other = await api.asOther();
    expect((await other.get(`/api/contacts/imports/${importId}`)).status).toBe(404);
    expect((await other.get(`/api/contacts/imports/${importId}/errors`)).status).toBe(404);
    expect((await other.post(`/api/operations/${importId}/cancel`)).status).toBe(404);
  });

  test('a file of another kind is refused by its name', async () => {
    const response = await send('name,phone\n', '?fileName=people.xls');
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ error: { message: 'Please select a JSON or CSV file.' } });
  });
});

describe('choices of an import', () => {
  const sendCsv = (text: string, query: string) => send(text, `?${query}`);
  const two = 'name,phone,email,tags\nAnna,+447700900001,anna@example.com,new\nBob,+447700900002,,\n';
  const addAnn = async () =>
    (
      await admin.post('/api/contacts', {
        name: 'Ann',
        phone: '+447700900001',
        email: 'ann@example.com',
        tags: ['vip'],
        status: 'blocked',
      })
    ).json<{ id: string }>();

  test('update takes over what the file says and leaves the rest; each number counts once', async () => {
    await addAnn();
    const response = await sendCsv(`${two}Twice,+447700900002,,\n`, 'duplicates=update');
    expect(await response.json()).toMatchObject({ successful: 2, updated: 1, failed: 1 });
    expect(await stored()).toMatchObject([
      { name: 'Bob' },
      { name: 'Anna', email: 'anna@example.com', tags: ['vip', 'new'], status: 'blocked' },
    ]);
  });

  longTest.each([
    ['skip', { successful: 1, updated: 0, failed: 1 }],
    ['update', { successful: 2, updated: 1, failed: 0 }],
  ])('a dry run with %s tells what would happen and changes nothing', async (duplicates, figures) => {
    await addAnn();
    const before = await stored();
    const response = await sendCsv(two, `duplicates=${duplicates}&dryRun=1`);
    const result = await response.json<Result>();
    expect(result).toMatchObject({ state: 'done', isDryRun: true, ...figures });
    expect(await stored()).toEqual(before);
    expect((await admin.post(`/api/contacts/imports/${result.id}/undo`)).status).toBe(409);
  });

  test.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('columns that %s separate are read, however the bytes arrive', async (_, mark) => {
    const lines = [
      ['name', 'phone', 'email', 'tags'],
      ['Lee, Ann', '+447700900003', '', '"vip;new"'],
    ];
    const text = `\n${lines.map((cells) => cells.join(mark)).join('\r\n')}\r\n`;
    const response = await send(stream('', 0, text.slice(0, 9), text.slice(9)));
    expect(await response.json()).toMatchObject({ successful: 1, failed: 0 });
    expect(await stored()).toMatchObject([
      { name: 'Lee, Ann', phone: '+447700900003', tags: ['vip', 'new'] },
    ]);
  });

  test('an address has one spelling, wherever it comes from', async () => {
    await admin.post('/api/contacts', {
      name: 'Bob',
      phone: '+447700900004',
      email: 'bob@xn--exmple-cua.de',
    });
    await importText('name,phone,email\nBobby,+447700900005,bob@EXÄMPLE.de\n');
    expect((await stored()).map(({ email }) => email)).toEqual(['bob@exämple.de', 'bob@exämple.de']);
    const phones = await (await admin.get('/api/contacts/duplicates?limit=5')).json<{ nextCursor: string }>();
    const emails = await admin.get(`/api/contacts/duplicates?limit=5&cursor=${phones.nextCursor}`);
    expect(await emails.json()).toMatchObject({
      items: [{ kind: 'email', key: 'bob@exämple.de', total: 2 }],
    });
  });

  test('numbers as people write them at home, and names in two columns, are understood', async () => {
    const mapping = encodeURIComponent(
      JSON.stringify({ Vorname: 'firstName', Nachname: 'lastName', Mobil: 'phone' }),
    );
    const csv =
      'Vorname;Nachname;Mobil\nJürgen;Groß;0171/1234567\n;Weiß;0044 7700 900123\nZoë;;0172 7654321\n';
    const response = await sendCsv(csv, `country=DE&mapping=${mapping}`);
    expect(await response.json()).toMatchObject({ successful: 3, failed: 0 });
    expect(await stored()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Jürgen Groß', phone: '+491711234567' }),
        expect.objectContaining({ name: 'Weiß', phone: '+447700900123' }),
      ]),
    );
    expect((await sendCsv(csv, `country=XX&mapping=${mapping}`)).status).toBe(422);
    expect((await sendCsv('lastName,phone\n', '')).status).toBe(422);
  });

  test('a mapping says which column is which', async () => {
    const mapping = encodeURIComponent(JSON.stringify({ 'Full Name': 'name', Mobile: 'phone' }));
    const response = await sendCsv('Mobile,Full Name,name\n+447700900003,Carla,nick\n', `mapping=${mapping}`);
    expect(await response.json()).toMatchObject({ successful: 1 });
    expect(await stored()).toMatchObject([{ name: 'Carla', phone: '+447700900003' }]);
    const wrong = encodeURIComponent(JSON.stringify({ Mobile: 'shoe' }));
    expect((await sendCsv('Mobile\n', `mapping=${wrong}`)).status).toBe(422);
  });

  test('a whole import is taken back; what was edited since stays', async () => {
    const { id: annId } = await addAnn();
    const before = (await stored()).find(({ name }) => name === 'Ann');
    const csv = `${two}Carla,+447700900003,,\n`;
    const { id } = await (await sendCsv(csv, 'duplicates=update')).json<Result>();
    const [carla] = (
      await (
        await admin.get('/api/contacts?search=carla')
      ).json<{ items: { id: string; version: number }[] }>()
    ).items;
    await admin.patch(`/api/contacts/${carla?.id}`, { version: 1, name: 'Carla Edited' });
    const undone = await admin.post(`/api/contacts/imports/${id}/undo`);
    expect(await undone.json()).toEqual({ removed: 1, restored: 1, kept: 1 });
    expect(await stored()).toMatchObject([{ name: 'Carla Edited' }, before]);
    expect((await admin.post(`/api/contacts/imports/${id}/undo`)).status).toBe(409);
    expect(await (await admin.get(`/api/contacts/${annId}`)).json()).toMatchObject({ version: 3 });
    const other = await api.asOther();
    expect((await other.post(`/api/contacts/imports/${id}/undo`)).status).toBe(404);
    expect((await (await api.as('viewer')).post(`/api/contacts/imports/${id}/undo`)).status).toBe(403);
  });
});
