import { newId } from '@app/database/new-id';
import type { SectionCounts } from '../../src/data-management/adopt-rest.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Counts = SectionCounts;
type Import = {
  id: string;
  state: string;
  problem: { code: string } | null;
  report: (Record<string, Counts> & { optOuts: number; items: { name: string; problem: string }[] }) | null;
  undoableUntil: string | null;
};

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of ['campaigns', 'contacts', 'templates', 'custom_fields', 'suppression_list'])
    await query(`DELETE FROM ${table}`);
  await query(`UPDATE workspaces SET settings = '{}', language = 'en'`);
});

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;
const body = (text: string) => [{ type: 'body', text }];
const whole = (more: Record<string, unknown> = {}) => ({
  version: '1.0',
  ...{ settings: {}, contacts: [], templates: [], campaigns: [] },
  ...more,
});
const send = (content: unknown, choices = 'prefers=file', id = newId(), caller = admin) =>
  caller.request(`/api/data/imports?importId=${id}&fileName=backup.json&${choices}`, {
    method: 'POST',
    body: typeof content === 'string' ? content : JSON.stringify(content),
    headers: { 'content-type': 'application/json' },
  });
const read = async (id: string) => (await admin.get(`/api/data/imports/${id}`)).json<Import>();
/** Imports it, and answers with what came of it. */
async function imported(content: unknown, choices = 'prefers=file'): Promise<Import> {
  const answer = await send(content, choices);
  expect([answer.status, await answer.clone().text()]).toEqual([202, expect.any(String)]);
  const { id } = await answer.json<Import>();
  await expect.poll(async () => (await read(id)).state).toBe('done');
  return read(id);
}
const undo = (id: string) => admin.post(`/api/data/imports/${id}/undo`, {});
const counts = (some: Partial<Counts>): Counts => ({
  ...{ added: 0, changed: 0, same: 0, kept: 0, refused: 0 },
  ...some,
});
const names = async (table: string) =>
  (await query(`SELECT name FROM ${table} WHERE workspace_id = $1 ORDER BY name`, [api.workspaceId])).map(
    ({ name }) => name as string,
  );

const FILE = whole({
  settings: { businessName: 'Corner Shop', timeZone: 'Nowhere/At all', messaging: { marketingPerWeek: 3 } },
  customFields: [{ key: 'shoe_size', label: 'Shoe size', type: 'number' }],
  contacts: [
    { name: 'Ann', phone: '+447700900001', tags: ['vip'], customFields: { shoe_size: 38 }, optedOut: true },
    { name: 'Bob', phone: '+447700900002', status: 'active', optedOut: false },
    { name: 'Nobody', phone: '12' },
  ],
  templates: [
    { name: 'hello', category: 'general', language: 'en', status: 'approved', components: body('Hello') },
    { name: 'hello', language: 'en', content: 'The same name again' },
    { name: 'broken', components: [{ type: 'nothing' }] },
  ],
  campaigns: [
    { name: 'Spring', template: 'hello', status: 'running', scheduledAt: '2020-01-01T00:00:00Z', sent: 12 },
    { name: '', customMessage: 'No name' },
  ],
});

/** The workspace as its export has it, but for what is of the moment. */
async function exportAll(): Promise<Record<string, { createdAt: string }[]>> {
  const operation = await (await admin.post('/api/data/exports', {})).json<{ id: string }>();
  await expect
    .poll(async () => (await (await admin.get(`/api/operations/${operation.id}`)).json<Import>()).state)
    .toBe('done');
  const data = await (
    await admin.get(`/api/operations/${operation.id}/file`)
  ).json<Record<string, { createdAt: string }[]>>();
  for (const section of ['contacts', 'templates', 'campaigns'])
    for (const row of data[section] ?? []) row.createdAt = '';
  return { ...data, exportDate: [] };
}

longTest('a try says what would come of the file, and changes nothing', async () => {
  const { report, undoableUntil } = await imported(FILE, 'prefers=file&dryRun=1');
  expect(report).toMatchObject({
    contacts: counts({ added: 2, refused: 1 }),
    customFields: counts({ added: 1 }),
    templates: counts({ added: 1, refused: 2 }),
    campaigns: counts({ added: 1, refused: 1 }),
    settings: counts({ changed: 2, refused: 1 }),
  });
  expect(report?.items.map(({ name, problem }) => [name, problem])).toEqual(
    expect.arrayContaining([
      ['hello', 'double'],
      ['broken', 'invalid'],
      ['timeZone', 'invalid'],
      ['businessName', null],
    ]),
  );
  expect(undoableUntil).toBeNull();
  for (const table of ['contacts', 'templates', 'campaigns']) expect(await names(table), table).toEqual([]);
  expect(await query('SELECT FROM custom_fields')).toEqual([]);
});

test('what is new is added, and nothing of it is on its way: templates and campaigns are drafts', async () => {
  await imported(FILE);
  expect(await names('contacts')).toEqual(['Ann', 'Bob']);
  const [field] = await query('SELECT id FROM custom_fields');
  expect(
    await query(
      `SELECT custom_values AS values, opted_out_at IS NOT NULL AS out FROM contacts WHERE name = 'Ann'`,
    ),
  ).toEqual([{ values: { [field.id]: 38 }, out: true }]);
  expect(await query('SELECT name, status, content, platform_name FROM templates')).toEqual([
    { name: 'hello', status: 'draft', content: 'Hello', platform_name: null },
  ]);
  expect(
    await query(
      `SELECT c.status, c.scheduled_at, c.run_no, c.audience_size AS people, t.name FROM campaigns c JOIN templates t ON t.id = c.template_id`,
    ),
  ).toEqual([{ status: 'draft', scheduled_at: null, run_no: null, people: 0, name: 'hello' }]);
  expect(await (await admin.get('/api/settings/general')).json()).toMatchObject({
    ...{ businessName: 'Corner Shop', timeZone: 'UTC' },
  });
  expect(await (await admin.get('/api/settings/messaging')).json()).toMatchObject({ marketingPerWeek: 3 });
});

test('what leaves by the export comes back by the import as it was', async () => {
  await imported(FILE);
  const before = await exportAll();
  await query('DELETE FROM campaigns');
  for (const table of ['contacts', 'templates', 'custom_fields']) await query(`DELETE FROM ${table}`);
  await query(`UPDATE workspaces SET settings = '{}'`);
  const again = await imported(before);
  expect(again.report).toMatchObject({ contacts: counts({ added: 2 }), campaigns: counts({ added: 1 }) });
  expect(await exportAll()).toEqual(before);
  const { report } = await imported(before);
  for (const section of ['contacts', 'customFields', 'templates', 'campaigns'])
    expect(report?.[section], section).toMatchObject({ added: 0, changed: 0, kept: 0, refused: 0 });
  expect(report?.['settings']).toMatchObject({ changed: 0, kept: 0, refused: 0 });
});

describe('where both say something', () => {
  beforeEach(async () => {
    await imported(
      whole({
        settings: { businessName: 'Here' },
        contacts: [
          { name: 'Ann here', phone: '+447700900001', status: 'blocked' },
          { name: 'Bob', phone: '+447700900002', optedOut: true },
          { name: 'Cem', phone: '+447700900003' },
        ],
        templates: [
          { name: 'hello', components: body('Here') },
          { name: 'checked', components: body('Here') },
        ],
        campaigns: [{ name: 'Spring', customMessage: 'Here' }],
      }),
    );
    await query(`UPDATE templates SET status = 'approved' WHERE name = 'checked'`);
  });
  const file = whole({
    settings: { businessName: 'File' },
    contacts: [
      { name: 'Ann', phone: '+447700900001', status: 'active' },
      { name: 'Bob', phone: '+447700900002', optedOut: false },
      { name: 'Cem', phone: '+447700900003', optedOut: true },
    ],
    templates: [
      { name: 'hello', components: body('File') },
      { name: 'checked', components: body('File') },
    ],
    campaigns: [{ name: 'Spring', customMessage: 'File' }],
  });
  const people = () =>
    query('SELECT name, status, opted_out_at IS NOT NULL AS out FROM contacts ORDER BY phone');
  const contents = async () =>
    (await query('SELECT content FROM templates ORDER BY name')).map(({ content }) => content as string);
  const businessName = async () =>
    (await (await admin.get('/api/settings/general')).json<{ businessName: string }>()).businessName;

  test('the file may win, but for who is blocked, who opted out, what was checked, and campaigns', async () => {
    const { id, report } = await imported(file);
    expect(report).toMatchObject({
      contacts: counts({ changed: 2, same: 1 }),
      templates: counts({ changed: 1, kept: 1 }),
      campaigns: counts({ kept: 1 }),
      settings: counts({ changed: 1 }),
      optOuts: 1,
    });
    expect(await people()).toEqual([
      { name: 'Ann', status: 'blocked', out: false },
      { name: 'Bob', status: 'active', out: true },
      { name: 'Cem', status: 'active', out: true },
    ]);
    expect(await contents()).toEqual(['Here', 'File']);
    expect(await businessName()).toBe('File');

    expect(await (await undo(id)).json()).toEqual({ removed: 0, restored: 2, kept: 0 });
    expect((await people()).map(({ name, out }) => [name, out])).toEqual([
      ['Ann here', false],
      ['Bob', true],
      ['Cem', false],
    ]);
    expect(await contents()).toEqual(['Here', 'Here']);
    expect(await businessName()).toBe('Here');
    expect((await undo(id)).status).toBe(409);
  });

  longTest('what is here may win, but for who wants no marketing', async () => {
    const { report } = await imported(file, 'prefers=here');
    expect(report).toMatchObject({
      contacts: counts({ changed: 1, same: 1, kept: 1 }),
      templates: counts({ kept: 2 }),
      settings: counts({ kept: 1 }),
    });
    expect(await people()).toEqual([
      { name: 'Ann here', status: 'blocked', out: false },
      { name: 'Bob', status: 'active', out: true },
      { name: 'Cem', status: 'active', out: true },
    ]);
    expect(await contents()).toEqual(['Here', 'Here']);
    expect(await businessName()).toBe('Here');
  });
});

longTest('taken back, everything new goes but what somebody touched since', async () => {
  const { id, undoableUntil } = await imported(FILE);
  expect(undoableUntil).not.toBeNull();
  const [bob] = await query(`SELECT id, version FROM contacts WHERE name = 'Bob'`);
  await query(`UPDATE contacts SET name = 'Bobby', version = version + 1 WHERE id = $1`, [bob.id]);
  await query('UPDATE templates SET version = version + 1');
  // A part of an import is no import of contacts.
  expect((await admin.post(`/api/contacts/imports/${id}/undo`, {})).status).toBe(409);
  expect(await (await undo(id)).json()).toEqual({ removed: 1, restored: 0, kept: 2 });
  expect(await names('contacts')).toEqual(['Bobby']);
  expect(await names('templates')).toEqual(['hello']);
  expect(await names('campaigns')).toEqual([]);
  expect(await query('SELECT FROM custom_fields')).toEqual([]);
  expect(await (await admin.get('/api/settings/messaging')).json()).toMatchObject({ marketingPerWeek: null });
});

longTest.each([
  ['no JSON', 'name,phone\nAnn,+447700900001', 'data_foreign'],
  ['an array', '[]', 'data_foreign'],
  ['nothing', ' ', 'data_foreign'],
  ['a cut file', JSON.stringify(FILE).slice(0, -20), 'json_unfinished'],
  ['a file that ends in its contacts', '{"version":"1.0","settings":{},"contacts":[{"na', 'json_unfinished'],
  ['broken JSON', '{"version":"1.0","templates":[{]}', 'json_malformed'],
  ['another product', { contacts: [], items: [] }, 'data_foreign'],
  ['another form', whole({ templates: {} }), 'data_foreign'],
  ['settings that are none', whole({ settings: null }), 'data_foreign'],
  ['a newer version', whole({ version: '2.0' }), 'data_newer'],
  ['no version that anybody has', whole({ version: { a: 1 } }), 'data_foreign'],
  ['an archive', 'PK\u0003\u0004 and more', 'wrong_file'],
])('%s is refused, and leaves nothing', async (_, content, problem) => {
  const answer = await send(content);
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    { error: { code: 'contact_import_failed', details: { values: { problem } } } },
  ]);
  expect(await query('SELECT FROM contacts')).toEqual([]);
});

longTest('values that no row can hold are refused by the row', async () => {
  const { report } = await imported(
    whole({
      settings: { about: 'a\0b' },
      templates: [
        { name: 'nul\0', content: 'x' },
        { name: 'half', content: 'x\ud800' },
      ],
      campaigns: [{ name: 'nul', customMessage: 'a\0b' }],
    }),
  );
  expect(report).toMatchObject({
    templates: counts({ refused: 2 }),
    campaigns: counts({ refused: 1 }),
    settings: counts({ refused: 1 }),
  });
});

longTest('settings of a file that was written by hand are understood, or named', async () => {
  const { report } = await imported(
    whole({
      settings: {
        ...{ businessName: 'Corner Shop', autoReplyEnabled: true, autoReplyMessage: 'We answer soon.' },
        ...{
          whatsappNumber: '+14155550100',
          whatsappConnected: true,
          colour: 'green',
          messaging: { tone: 1 },
        },
      },
    }),
  );
  expect(report?.['settings']).toEqual(counts({ changed: 2, refused: 4 }));
  expect(report?.items.filter(({ problem }) => problem).map(({ name, problem }) => [name, problem])).toEqual([
    ['whatsappNumber', 'number_connected'],
    ['whatsappConnected', 'number_connected'],
    ['colour', 'unknown_setting'],
    ['tone', 'unknown_setting'],
  ]);
  expect(await (await admin.get('/api/settings/messaging')).json()).toMatchObject({
    autoReply: { isEnabled: true, message: 'We answer soon.' },
  });
});

longTest('business hours of a file from when a day had one span are taken as days with one', async () => {
  const day = { from: '09:00', to: '17:00' };
  const hours = { timeZone: 'UTC', days: [null, day, day, day, day, day, null], holidays: ['2026-12-25'] };
  const { report } = await imported(whole({ settings: { messaging: { businessHours: hours } } }));
  expect(report?.['settings']).toEqual(counts({ changed: 1 }));
  const days = [[], [day], [day], [day], [day], [day], []];
  expect(await (await admin.get('/api/settings/messaging')).json()).toMatchObject({
    businessHours: { timeZone: 'UTC', days, exceptions: [{ day: '2026-12-25', hours: [] }] },
  });
});

longTest('text that only looks like such a value is text', async () => {
  const { report } = await imported(
    whole({
      settings: { about: 'C:\\udemo' },
      templates: [{ name: 'path', content: 'Look into C:\\udemo' }],
      campaigns: [{ name: 'path', customMessage: 'Look into \\u0000' }],
    }),
  );
  expect(report).toMatchObject({
    templates: counts({ added: 1 }),
    campaigns: counts({ added: 1 }),
    settings: counts({ changed: 1 }),
  });
});

test('of what is refused all is counted, and the first fifty are named', async () => {
  const content = whole({ templates: Array.from({ length: 60 }, () => ({ name: '' })), campaigns: [1, 2] });
  const { report } = await imported(content, 'prefers=file&dryRun=1');
  expect(report).toMatchObject({
    templates: counts({ refused: 60 }),
    campaigns: counts({ refused: 2 }),
  });
  expect(report?.items).toHaveLength(52);
});

longTest('of more fields than are looked at the others are counted', async () => {
  const customFields = Array.from({ length: 10_003 }, (_, n) => ({
    key: `f${n}`,
    label: `Field ${n}`,
    type: 'text',
  }));
  const { report } = await imported(whole({ customFields }), 'prefers=file&dryRun=1');
  const { added = 0, refused = 0 } = report?.customFields ?? {};
  expect(added + refused).toBe(10_003);
});

longTest(
  'people who are here since the database last looked at their table are known by it before they are looked for',
  async () => {
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone)
     SELECT gen_random_uuid(), $1, 'Person ' || n, '+491511' || (100000 + n) FROM generate_series(1, 3000) AS n`,
      [api.workspaceId],
    );
    const { report } = await imported(whole({ contacts: [{ name: 'New name', phone: '+491511100001' }] }));
    expect(report?.contacts).toMatchObject({ changed: 1 });
    const [believed] = await query(`SELECT reltuples FROM pg_class WHERE oid = 'contacts'::regclass`);
    expect(believed?.reltuples).toBeGreaterThan(2_900);
  },
);

test('one id is one import, and whoever may not do all of it may do nothing', async () => {
  const id = newId();
  expect((await send(FILE, 'prefers=file', id)).status).toBeLessThan(300);
  expect((await send(FILE, 'prefers=file', id)).status).toBe(409);
  for (const role of ['manager', 'agent', 'viewer'] as const) {
    const other = await api.as(role);
    expect((await send(FILE, 'prefers=file', newId(), other)).status, role).toBe(403);
    expect((await other.get(`/api/data/imports/${id}`)).status, role).toBe(403);
  }
  expect((await send(FILE, 'prefers=nobody')).status).toBe(422);
});
