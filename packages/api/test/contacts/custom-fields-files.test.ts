import fc from 'fast-check';
import { runs } from '@app/database/testing/thorough';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Result = { id: string; successful: number; updated: number; failed: number };
type Contact = { id: string; name: string; version: number; customFields: Record<string, unknown> };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  for (const field of [
    { label: 'Tier', type: 'choice', options: ['Silver', 'Gold'] },
    { label: 'Home town', type: 'text' },
    { label: 'Size', type: 'number' },
    { label: 'Born', type: 'date' },
    { label: 'Member', type: 'yes_no' },
  ])
    await admin.post('/api/custom-fields', field);
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

async function importText(text: string, query = ''): Promise<Result> {
  const response = await admin.request(`/api/contacts/imports?${query}`, {
    method: 'POST',
    body: text,
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
  });
  expect(response.status).toBe(200);
  return response.json<Result>();
}

async function errorsOf({ id }: Result): Promise<string[]> {
  const answer = await admin.get(`/api/contacts/imports/${id}/errors`);
  return (await answer.json<{ items: { message: string }[] }>()).items.map(({ message }) => message);
}

async function contacts(): Promise<Contact[]> {
  return (await (await admin.get('/api/contacts?sort=name&limit=200')).json<{ items: Contact[] }>()).items;
}

const values = async () =>
  Object.fromEntries((await contacts()).map(({ name, customFields }) => [name, customFields]));

describe('custom columns of a file', () => {
  test('are found by key or label, and bad values are told row by row', async () => {
    const result = await importText(
      [
        'name,phone,TIER,home_town,size,Born,Member,Shoe',
        'Ann,+447911000001,gold,"New York, NY",40.5,1990-02-01,yes,x',
        'Ben,+447911000002,,,,,,',
        'Cleo,+447911000003,Tin,,,,,',
        'Dan,+447911000004,,,4O,,,',
        'Eve,+447911000005,,,,2/1/1990,,',
        'Fay,+447911000006,,,,,perhaps,',
      ].join('\n'),
    );
    expect(result).toMatchObject({ successful: 2, failed: 4 });
    expect(await errorsOf(result)).toEqual([
      'Row 3: Tier is not one of Silver, Gold',
      'Row 4: Size is not a number such as 12.5',
      'Row 5: Born is not a date such as 2026-11-21',
      'Row 6: Member is neither yes nor no',
    ]);
    expect(await values()).toEqual({
      Ann: { tier: 'Gold', home_town: 'New York, NY', size: 40.5, born: '1990-02-01', member: true },
      Ben: {},
    });
  });

  test('have days and amounts as shops write them, the order of days told by any row of the column', async () => {
    const file = (last: string) =>
      [
        'name,phone,Size,Born',
        'Ann,+447911000001,"1.869,53 €",02/03/1995',
        `Ben,+447911000002,$12.50,${last}`,
      ].join('\n');
    for (const [last, query, born] of [
      ['16/01/1995', 'country=US', '1995-03-02'],
      ['01/16/1995', 'country=DE', '1995-02-03'],
      ['', 'country=US', '1995-02-03'],
      ['', 'country=DE', '1995-03-02'],
    ] as const) {
      await api.db.systemPool.query('DELETE FROM contacts');
      expect(await importText(file(last), query)).toMatchObject({ successful: 2, failed: 0 });
      expect(await values()).toEqual({
        Ann: { size: 1869.53, born },
        Ben: { size: 12.5, ...(last && { born: '1995-01-16' }) },
      });
    }
    await api.db.systemPool.query('DELETE FROM contacts');
    const json = [
      { name: 'Ann', phone: '+447911000001' },
      { name: 'Ben', phone: '+447911000002', born: '02/03/1995' },
      { name: 'Cleo', phone: '+447911000003', born: '16/01/1995' },
    ];
    expect(await importText(JSON.stringify(json))).toMatchObject({ successful: 3 });
    expect(await values()).toMatchObject({ Ben: { born: '1995-03-02' } });
  });

  test('are chosen by a mapping, which names fields that there are', async () => {
    const mapping = (chosen: object) => `mapping=${encodeURIComponent(JSON.stringify(chosen))}`;
    const csv = 'Who,Number,Level,Size\nAnn,+447911000001,Silver,40\n';
    const chosen = { Who: 'name', Number: 'phone', Level: 'custom:tier' };
    expect(await importText(csv, mapping(chosen))).toMatchObject({ successful: 1 });
    expect(await values()).toEqual({ Ann: { tier: 'Silver' } });
    const gone = await admin.request(`/api/contacts/imports?${mapping({ ...chosen, Size: 'custom:hat' })}`, {
      method: 'POST',
      body: csv,
      headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
    });
    expect([gone.status, await gone.json()]).toMatchObject([
      422,
      { error: { message: 'There is no custom field hat any more. Please choose the columns again.' } },
    ]);
  });

  test('stand in a JSON file beside the name, or in an object of their own', async () => {
    const result = await importText(
      JSON.stringify([
        { name: 'Ann', phone: '+447911000001', 'Home Town': 'Leeds', member: false },
        { name: 'Ben', phone: '+447911000002', customFields: { size: 9, tier: 'Gold' } },
        { name: 'Cleo', phone: '+447911000003', customFields: { size: [9] } },
      ]),
    );
    expect(await errorsOf(result)).toEqual(['Row 3: Size is not a number such as 12.5']);
    expect(await values()).toEqual({
      Ann: { home_town: 'Leeds', member: false },
      Ben: { size: 9, tier: 'Gold' },
    });
  });

  test('update what they name and leave the rest; taking the import back restores all of it', async () => {
    await importText('name,phone,tier,size\nAnn,+447911000001,Gold,40\n');
    const [before] = await contacts();
    const again = 'name,phone,tier,size,member\nAnn,+447911000001,,41,no\nBen,+447911000002,Silver,,\n';
    expect(await importText(again, 'duplicates=skip')).toMatchObject({ successful: 1, failed: 1 });
    expect((await values())['Ann']).toEqual({ tier: 'Gold', size: 40 });
    const result = await importText(again, 'duplicates=update');
    expect(result).toMatchObject({ updated: 2, failed: 0 });
    expect(await values()).toEqual({
      Ann: { tier: 'Gold', size: 41, member: false },
      Ben: { tier: 'Silver' },
    });
    // Ben is as the file says already, so only Ann was changed.
    expect((await contacts()).map(({ version }) => version)).toEqual([2, 1]);
    const undone = await admin.post(`/api/contacts/imports/${result.id}/undo`);
    expect(await undone.json()).toMatchObject({ restored: 1 });
    expect((await contacts())[0]).toMatchObject({ customFields: before?.customFields, version: 3 });
  });
});

describe('an export', () => {
  const contact = fc.record(
    {
      tier: fc.constantFrom('Silver', 'Gold'),
      home_town: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('=1+1', "'=x", '-5', 'a,"b"', 'yes')),
      size: fc.oneof(fc.integer(), fc.constantFrom(0.5, -12.25, 1e-7, 999999999999999)),
      born: fc.constantFrom('1990-02-01', '2024-02-29'),
      member: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  longTest.each(['csv', 'json'])('as %s and its import give the same values', async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 6 }), async (people) => {
        await api.db.systemPool.query('DELETE FROM contacts');
        const rows = people.map((customFields, index) => ({
          name: `Person ${index}`,
          phone: `+4477009000${10 + index}`,
          customFields,
        }));
        expect(await importText(JSON.stringify(rows))).toMatchObject({ failed: 0 });
        const before = await values();
        const file = await (await admin.get(`/api/contacts/export?format=${format}`)).text();
        await api.db.systemPool.query('DELETE FROM contacts');
        expect(await importText(file)).toMatchObject({ successful: rows.length, failed: 0 });
        expect(await values()).toEqual(before);
      }),
      { numRuns: runs(15) },
    );
  });

  test('names the fields by their keys, in their order', async () => {
    await importText('name,phone,tier,size\nAnn,+447911000001,Gold,-4\n');
    expect(await (await admin.get('/api/contacts/export?format=csv')).text()).toBe(
      'name,phone,email,tags,status,language,tier,home_town,size,born,member\r\nAnn,+447911000001,,,active,,Gold,,-4,,\r\n',
    );
  });
});
