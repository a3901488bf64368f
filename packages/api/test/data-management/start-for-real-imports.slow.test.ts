import { changeConsent } from '@app/database/contacts/change-consent';
import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueuedJobs } from '../../src/features.ts';
import { openJobs } from '../../src/platform/jobs/open-jobs.ts';
import { openApiFixture, readErrorBody, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Operation = { id: string; state: string; done: number; total: number };
type Contact = { id: string; name: string; phone: string; tags: string[]; optedOutAt: string | null };
type Imports = { id: string; fileName: string; contacts: number }[];

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  // What goes on behind an answer waits, as if the process had died there, until `work`.
  api = await openApiFixture({ sandboxUrl: 'http://127.0.0.1:9' }, { isWorking: false });
  admin = await api.as('admin');
  await query(
    `UPDATE workspaces SET is_sample = true, settings = settings || '{"businessName":"Sample Business"}' WHERE id = $1`,
    [api.workspaceId],
  );
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const names = (table: string, column = 'name') =>
  query(`SELECT ${column} AS name FROM ${table} WHERE workspace_id = $1 ORDER BY 1`, [api.workspaceId]).then(
    ({ rows }) => rows.map(({ name }) => name as string),
  );

/** Another process, which takes up what waits, until the operation is done. */
async function work(operationId: string): Promise<void> {
  const jobs = openJobs({ db: api.db, logger: api.parts.logger, kinds: enqueuedJobs, isWorking: true });
  const working = jobs.work({ ...api.parts, jobs });
  await expect
    .poll(async () => (await admin.get(`/api/operations/${operationId}`)).json())
    .toMatchObject({ state: 'done' });
  await working.stop();
  await jobs.close();
}

async function importFile(fileName: string, text: string): Promise<string> {
  const importId = newId();
  const answer = await admin.request(
    `/api/contacts/imports?importId=${importId}&fileName=${fileName}&duplicates=update`,
    {
      ...{ method: 'POST', body: text, headers: { 'content-type': 'text/csv' } },
    },
  );
  expect(answer.status).toBeLessThan(300);
  await work(importId);
  return importId;
}

async function say(name: string, kind: 'opt_in' | 'opt_out', source: 'person' | 'staff'): Promise<void> {
  const { rows } = await query('SELECT id FROM contacts WHERE name = $1', [name]);
  await changeConsent(api.db.systemPool, [
    { workspaceId: api.workspaceId, contactId: rows[0].id, kind, source, at: new Date(), text: kind },
  ]);
}

const MANY = Array.from({ length: 1200 }, (_, n) => `Row ${n},+4917600${10_000 + n},lead,,Lyon`);

test('contacts of imports that are kept stay with tags, fields and consent, in another process too; the rest of the sample goes', async () => {
  for (const label of ['Home town', 'Of the sample'])
    await admin.post('/api/custom-fields', { label, type: 'text' });
  await admin.post('/api/contacts', { name: 'Sample', phone: '+447700900001', tags: ['sample'] });
  await admin.post('/api/contacts', { name: 'Twice', phone: '+447700900002' });
  const shop = await importFile(
    'shop.csv',
    [
      'name,phone,tags,Unsubscribed,Home town',
      'Müller Ä,+447700900010,"vip,new",,Köln',
      'Never,+447700900011,,true,',
      'Twice,+447700900002,,,',
      'Tester,+447700900012,,,',
      'Stopper,+447700900013,,,',
      ...MANY,
    ].join('\n'),
  );
  const fair = await importFile('fair.csv', 'name,phone\nGone,+447700900020\n');
  const undone = await importFile('undone.csv', 'name,phone\nUndone,+447700900030\n');
  await admin.post(`/api/contacts/imports/${undone}/undo`);
  await say('Müller Ä', 'opt_in', 'staff');
  await say('Tester', 'opt_in', 'person');
  await say('Stopper', 'opt_out', 'person');
  const { rows: tester } = await query(`SELECT id FROM contacts WHERE name = 'Tester'`);
  await query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at) VALUES ($1, $2, $3, $4, now())`,
    [newId(), api.workspaceId, tester[0].id, await api.addChannel()],
  );
  await query(`UPDATE contacts SET last_message = 'Hello', last_message_at = now() WHERE id = $1`, [
    tester[0].id,
  ]);

  const preview = await (await admin.get('/api/data/start-for-real')).json<{ imports: Imports }>();
  expect(preview.imports.map(({ fileName, contacts }) => [fileName, contacts])).toEqual([
    ['fair.csv', 1],
    ['shop.csv', 1205],
  ]);
  const wish = { name: 'Sample Business', businessName: 'Ada & Co' };
  const start = (imports: object[]) => admin.post('/api/data/start-for-real', { ...wish, imports }, newId());
  for (const imports of [[], [{ importId: shop, keep: true }]])
    expect(await readErrorBody(await start(imports))).toMatchObject({ code: 'imports_undecided' });
  const choices = [
    { importId: shop, keep: true },
    { importId: fair, keep: false },
  ];
  // Two tabs at once: one of them starts it.
  const answers = await Promise.all([start(choices), start(choices)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const begun = await answers.find(({ status }) => status === 200)!.json<Operation>();
  expect(begun).toMatchObject({ state: 'running', total: 2 });
  await work(begun.id);

  expect(await (await admin.get('/api/data')).json()).toMatchObject({ name: 'Ada & Co', contacts: 1205 });
  const { items } = await (
    await admin.get('/api/contacts?search=4477009000&limit=200')
  ).json<{ items: (Contact & { customFields: object })[] }>();
  const byName = Object.fromEntries(items.map((one) => [one.name, one]));
  expect(Object.keys(byName).toSorted()).toEqual(['Müller Ä', 'Never', 'Stopper', 'Tester', 'Twice']);
  expect(byName['Müller Ä']).toMatchObject({ tags: ['vip', 'new'], customFields: { home_town: 'Köln' } });
  expect(byName.Never!.optedOutAt).not.toBeNull();
  expect(byName.Stopper!.optedOutAt).not.toBeNull();
  expect(byName.Tester).toMatchObject({ optedOutAt: null, lastMessage: null });
  const consents = async (name: string) =>
    (
      await (
        await admin.get(`/api/contacts/${byName[name]!.id}/consents`)
      ).json<{ items: { kind: string }[] }>()
    ).items;
  expect(await consents('Müller Ä')).toMatchObject([{ kind: 'opt_in', source: 'staff', text: 'opt_in' }]);
  expect(await consents('Never')).toMatchObject([{ kind: 'opt_out', source: 'staff' }]);
  // The test phone said it, not the person.
  expect(await consents('Tester')).toEqual([]);
  expect(await names('custom_fields', 'label')).toEqual(['Home town']);
  expect(await names('contact_imports', 'file_name')).toEqual(['shop.csv']);
  expect(await names('conversations', 'id::text')).toEqual([]);
  const figures = await query(
    `SELECT (SELECT sum(total) FROM contact_counts WHERE workspace_id = $1)::int AS total,
            (SELECT sum(contacts) FROM contact_growth WHERE workspace_id = $1)::int AS growth,
            (SELECT sum(contacts) FROM contact_tag_counts WHERE workspace_id = $1 AND tag = 'sample')::int AS sample`,
    [api.workspaceId],
  );
  expect(figures.rows).toEqual([{ total: 1205, growth: 1205, sample: null }]);
  const again = await admin.post('/api/data/start-for-real', { ...wish, name: 'Ada & Co', imports: choices });
  expect(await readErrorBody(again)).toMatchObject({ code: 'sample_gone' });
});
