import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { CLEARED } from '../../src/data-management/cleared-tables.ts';
import type { DataImport } from '../../src/data-management/data-imports.ts';
import { dataClear } from '../../src/data-management/clear-operation.ts';
import { dataImport, dataReplacement } from '../../src/data-management/import-operation.ts';
import { tidyArchiveImports } from '../../src/data-management/archive-import/leftovers.ts';
import { archiveReplacement } from '../../src/data-management/archive-import/replace-operation.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addWorkspaceRows } from '../workspace-rows/workspace-rows.ts';
import { openArchiveImports } from './archive-imports-fixture.ts';

const store = createMemoryMediaStore();
let api: ApiFixture;
let admin: ApiCaller;
let here: ReturnType<typeof openArchiveImports>;
beforeAll(async () => {
  api = await openApiFixture({ mediaStore: store }, { isWorking: false });
  admin = await api.as('admin');
  here = openArchiveImports(api, admin, api.workspaceId);
  await addWorkspaceRows(api.parts, api.workspaceId, admin);
  for (const [name, phone, status] of [
    ['Out', '+447700900010', 'active'],
    ['Blocked', '+447700900011', 'blocked'],
    ['Gone', '+447700900012', 'active'],
    ['Late', '+447700900013', 'active'],
  ])
    await query('INSERT INTO contacts (id, workspace_id, name, phone, status) VALUES ($1, $2, $3, $4, $5)', [
      ...[newId(), api.workspaceId, name, phone, status],
    ]);
  await setOut('+447700900010');
  await setOut('+447700900012');
  await query('DELETE FROM archive_imports');
  // A name that a person could have given it.
  await query(`UPDATE conversation_labels SET name = 'Urgent' WHERE workspace_id = $1`, [api.workspaceId]);
  const [{ id: campaignId }] = await query('SELECT id FROM campaigns WHERE workspace_id = $1', [
    api.workspaceId,
  ]);
  await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, state, message, category, audience, total)
     SELECT nextval('delivery_run_small'), workspace_id, id, $2, 'paused', '{}', 'marketing', '{"contactIds":[]}', 1
       FROM channels WHERE workspace_id = $1 LIMIT 1`,
    [api.workspaceId, campaignId],
  );
  await query(
    `INSERT INTO flow_secrets (id, workspace_id, origin, sealed, fingerprint, created_at)
     VALUES ($1, $2, 'https://shop.example', 'sealed', 'of a test', now())`,
    [newId(), api.workspaceId],
  );
});
afterAll(() => api.close());
beforeEach(async () => {
  await query(`UPDATE delivery_runs SET state = 'paused' WHERE state IN ('ready', 'running')`);
});

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;
const setOut = async (phone: string) => {
  const [{ id }] = await query('SELECT id FROM contacts WHERE workspace_id = $1 AND phone = $2', [
    ...[api.workspaceId, phone],
  ]);
  await query(
    `INSERT INTO contact_consents (id, workspace_id, contact_id, kind, source, occurred_at, recorded_by)
     VALUES ($1, $2, $3, 'opt_out', 'person', now() - interval '1 day', 'Ann')`,
    [newId(), api.workspaceId, id],
  );
  await query(`UPDATE contacts SET opted_out_at = now() - interval '1 day' WHERE id = $1`, [id]);
};
const FILE = JSON.stringify({
  version: '1.0',
  settings: {
    businessName: 'Corner Shop',
    // As files were when a day had one span.
    messaging: {
      businessHours: {
        ...{ timeZone: 'UTC', days: [...Array(6).fill(null), { from: '09:00', to: '12:00' }] },
        holidays: ['2026-12-25'],
      },
    },
  },
  customFields: [{ key: 'shoe_size', label: 'Shoe size', type: 'number' }],
  contacts: [
    { name: 'Ann', phone: '+447700900001', customFields: { shoe_size: 38 } },
    { name: 'Out again', phone: '+447700900010', optedOut: false },
    { name: 'Blocked again', phone: '+447700900011', status: 'active' },
    { name: 'Late', phone: '+447700900013', email: 'no address', optedOut: true },
  ],
  templates: [{ name: 'hello', status: 'approved', content: 'Hello' }],
  campaigns: [{ name: 'Spring', template: 'hello', status: 'running', scheduledAt: '2020-01-01T00:00:00Z' }],
});
const nameHere = async () => (await (await admin.get('/api/data')).json<{ name: string }>()).name;
const send = (more: string, id = newId(), caller = admin) =>
  caller.request(`/api/data/replacements?importId=${id}&fileName=backup.json&${more}`, {
    ...{ method: 'POST', body: FILE, headers: { 'content-type': 'application/json' } },
  });
const read = async (id: string) => (await admin.get(`/api/data/imports/${id}`)).json<DataImport>();
async function replaced(more?: string): Promise<DataImport> {
  const id = newId();
  const answer = await send(more ?? `name=${encodeURIComponent(await nameHere())}`, id);
  expect([answer.status, await answer.text()]).toEqual([202, expect.any(String)]);
  const act = await here.work(dataReplacement, id);
  expect(act).toMatchObject({ state: 'done', error: null });
  return read(id);
}
const count = async (table: string) =>
  Number(
    (await query(`SELECT count(*) AS n FROM "${table}" WHERE workspace_id = $1`, [api.workspaceId]))[0].n,
  );
/** But for what is told of acts, what triggers count anew, and records of what was said, which are added to. */
const countAll = async () =>
  Object.fromEntries(
    await Promise.all(
      ['contacts', 'deleted_contacts', 'channels', 'conversations', ...CLEARED]
        .filter(
          (table) =>
            ![
              ...['notifications', 'data_imports', 'contact_imports', 'contact_growth'],
              'outcome_checks',
            ].includes(table),
        )
        .map(async (table) => [table, await count(table)] as const),
    ),
  );
/**
 * No copy of before holds what opens something by this installation, what it asked of models, or clicks on its links: what Clear All disconnected and
 * closed stays so, as integrations do.
 */
const CLOSED_FOR_GOOD = { ai_calls: 0, ai_connections: 0, flow_secrets: 0, link_clicks: 0, report_links: 0 };
const people = () =>
  query(
    `SELECT name, status, opted_out_at IS NOT NULL AS out FROM contacts WHERE workspace_id = $1 ORDER BY phone`,
    [api.workspaceId],
  );

describe('a file in the place of what is here', () => {
  test('is looked through first: what comes, what goes, and nothing changes', async () => {
    const before = await countAll();
    const { report, replaces, undoableUntil } = await replaced('dryRun=true');
    expect(report).toMatchObject({
      contacts: { added: 3, changed: 0, same: 0, refused: 1 },
      customFields: { added: 1 },
      templates: { added: 1 },
      campaigns: { added: 1 },
      goes: { contacts: before['contacts'], messages: before['messages'], templates: before['templates'] },
    });
    expect([replaces, undoableUntil]).toEqual([true, null]);
    expect(await countAll()).toEqual(before);
  });

  longTest('takes it whole, and what was here comes back whole', async () => {
    // As long as what a platform brings in one call.
    await query(`UPDATE contacts SET last_message = repeat('a', 2000000) WHERE workspace_id = $1`, [
      api.workspaceId,
    ]);
    const before = await countAll();
    const names = await people();
    const name = await nameHere();
    const { id, report, undoableUntil } = await replaced();
    expect(report).toMatchObject({ contacts: { added: 3, refused: 1 }, settings: { changed: 2 } });
    expect(undoableUntil).not.toBeNull();
    // Who was blocked or opted out here stays so, whatever the file says.
    expect(await people()).toEqual([
      { name: 'Ann', status: 'active', out: false },
      { name: 'Out again', status: 'active', out: true },
      { name: 'Blocked again', status: 'blocked', out: false },
    ]);
    expect(
      await query('SELECT name, status FROM templates WHERE workspace_id = $1', [api.workspaceId]),
    ).toEqual([{ name: 'hello', status: 'draft' }]);
    expect(
      await query('SELECT status, scheduled_at, run_no FROM campaigns WHERE workspace_id = $1', [
        api.workspaceId,
      ]),
    ).toEqual([{ status: 'draft', scheduled_at: null, run_no: null }]);
    for (const table of ['messages', 'conversations', 'segments', 'delivery_runs'])
      expect(await count(table), table).toBe(0);
    for (const table of ['channels', 'quick_replies', 'media'])
      expect(await count(table), table).toBe(before[table]);
    expect(await nameHere()).toBe('Corner Shop');

    // Whom the file left out, or refused, is known here by what they said.
    for (const [name, phone] of [
      ['Gone', '+447700900012'],
      ['Late', '+447700900013'],
    ])
      expect((await admin.post('/api/contacts', { name, phone })).status).toBe(200);
    expect((await people()).filter(({ out }) => out).map(({ name }) => name)).toEqual([
      ...['Out again', 'Gone', 'Late'],
    ]);

    expect((await admin.post(`/api/data/imports/${id}/undo`, {})).status).toBe(409);
    expect(await here.list()).toEqual([]);
    expect(await here.undo(id)).toMatchObject({ state: 'done', error: null });
    expect(await countAll()).toEqual(before);
    // What was said against marketing meanwhile is not taken back.
    expect(await people()).toEqual(names.map((one) => ({ ...one, out: one.out || one.name === 'Late' })));
    expect(await nameHere()).toBe(name);
    expect(await read(id)).toMatchObject({ state: 'undone', undoableUntil: null });
    await tidyArchiveImports(api.parts);
    expect([...store.files.keys()].filter((key) => key.includes('before-'))).toEqual([]);
    // Each copy that the tests below write would hold it again.
    await query(`UPDATE contacts SET last_message = 'a' WHERE workspace_id = $1`, [api.workspaceId]);
  });

  test('is refused under another name, while something is sent, and to whoever may not', async () => {
    expect((await send('name=Somebody else')).status).toBe(422);
    const name = `name=${encodeURIComponent(await nameHere())}`;
    // What was meant as a try does not become the act.
    expect((await send(`${name}&dryRun=yes`)).status).toBe(422);
    for (const role of ['manager', 'agent', 'viewer'] as const)
      expect((await send(name, newId(), await api.as(role))).status, role).toBe(403);
    await query(`UPDATE delivery_runs SET state = 'running' WHERE workspace_id = $1`, [api.workspaceId]);
    expect(await (await send(name)).json()).toMatchObject({ error: { code: 'runs_under_way' } });
  });

  test('that is stopped leaves everything as it was, and no copy of it', async () => {
    const before = await countAll();
    const id = newId();
    await send(`name=${encodeURIComponent(await nameHere())}`, id);
    // It begins to be sent behind the press.
    await query(`UPDATE delivery_runs SET state = 'running' WHERE workspace_id = $1`, [api.workspaceId]);
    expect(await here.work(dataReplacement, id)).toMatchObject({
      ...{ state: 'failed', error: { code: 'runs_under_way' } },
    });
    expect(await countAll()).toEqual(before);
    await tidyArchiveImports(api.parts);
    expect(await query('SELECT FROM archive_imports WHERE id = $1', [id])).toEqual([]);
    expect([...store.files.keys()].filter((key) => key.includes('before-'))).toEqual([]);
    expect(await (await admin.post(`/api/data/archive-readings/${id}/undo`, {})).json()).toMatchObject({
      error: { code: 'archive_reading_not_found' },
    });
  });

  longTest('whose process dies while what was here is written down is begun anew by the next', async () => {
    const id = newId();
    await send(`name=${encodeURIComponent(await nameHere())}`, id);
    const before = await countAll();
    const stopping = new AbortController();
    const takeArchive: ApiFixture['parts']['takeArchive'] = async (options) => {
      const taken = await api.parts.takeArchive(options);
      stopping.abort(new Error('the process stops'));
      return taken;
    };
    await expect(here.work(dataReplacement, id, { takeArchive }, stopping.signal)).rejects.toThrow(
      'the process stops',
    );
    expect(await countAll()).toEqual(before);
    await tidyArchiveImports(api.parts);
    expect(await here.work(dataReplacement, id)).toMatchObject({ state: 'done' });
    expect((await people()).map(({ name }) => name)).toEqual(['Ann', 'Out again', 'Blocked again']);
    const begun = await admin.post(`/api/data/archive-readings/${id}/undo`, {});
    const { id: operationId } = await begun.json<{ id: string }>();
    expect(await here.work(archiveReplacement, operationId)).toMatchObject({ state: 'done' });
    expect(await countAll()).toEqual(before);
  });

  longTest('can be taken back although another one, or Clear All, came since', async () => {
    const before = await countAll();
    const { id: first } = await replaced();
    const between = await countAll();
    const { id: second } = await replaced();
    for (let other = 0; other < 6; other += 1) {
      const id = newId();
      await admin.request(`/api/data/imports?importId=${id}&fileName=more.json&prefers=here`, {
        ...{ method: 'POST', body: FILE, headers: { 'content-type': 'application/json' } },
      });
      expect(await here.work(dataImport, id)).toMatchObject({ state: 'done' });
    }
    const listed = await (await admin.get('/api/data/imports')).json<{ items: DataImport[] }>();
    expect(listed.items.filter(({ replaces }) => replaces)).toMatchObject([
      { id: second, undoableUntil: expect.any(String) },
    ]);
    expect(listed.items).toHaveLength(6);
    expect(await here.list()).toMatchObject([{ id: first, undoableUntil: expect.any(String) }]);

    const begun = await admin.post('/api/data/clear', { name: await nameHere() });
    await here.work(dataClear, (await begun.json<{ id: string }>()).id);
    expect(await count('contacts')).toBe(0);
    expect((await here.list()).map(({ id }) => id)).toEqual([second, first]);
    expect(await here.undo(second)).toMatchObject({ state: 'done' });
    expect(await countAll()).toEqual({ ...between, ...CLOSED_FOR_GOOD });
    expect(await here.undo(first)).toMatchObject({ state: 'done' });
    expect(await countAll()).toEqual({ ...before, ...CLOSED_FOR_GOOD });
    expect(await here.list()).toEqual([]);
  });
});
