import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableRulesByFeature } from '@app/database/all-table-rules';
import { listWorkspaceTables } from '@app/database/table-rules';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Operation = { id: string; kind: string; state: string; file: { name: string } | null };

let api: ApiFixture;
let admin: ApiCaller;
let exported = '';
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const readOperation = async (id: string) => (await admin.get(`/api/operations/${id}`)).json<Operation>();
async function ended(id: string): Promise<void> {
  await expect.poll(() => readOperation(id)).toMatchObject({ state: 'done' });
}

async function fill(): Promise<void> {
  const values = [api.workspaceId, api.otherWorkspaceId];
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, created_at)
     SELECT gen_random_uuid(), w, 'Ann "' || n || '"', '+4915' || (10000000 + n), ARRAY['vip'], now() - interval '1 minute'
       FROM unnest($1::uuid[]) AS w, generate_series(1, 1500) AS n`,
    [values],
  );
  await query(`UPDATE contacts SET opted_out_at = now() WHERE phone = '+491510000001'`);
  await query(
    `INSERT INTO templates (id, workspace_id, name, content, components)
     SELECT gen_random_uuid(), w, 'welcome', 'Hello', '[{"type":"body","text":"Hello"}]' FROM unnest($1::uuid[]) AS w`,
    [values],
  );
  await query(
    `INSERT INTO campaigns (id, workspace_id, name) SELECT gen_random_uuid(), w, 'Spring' FROM unnest($1::uuid[]) AS w`,
    [values],
  );
}

const count = async (table: string, workspaceId = api.workspaceId) => {
  const { rows } = await query(`SELECT count(*)::integer AS n FROM ${table} WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  return rows[0].n as number;
};

describe('export', () => {
  test('is one JSON file with everything that means something elsewhere', async () => {
    await fill();
    const begun = await (await admin.post('/api/data/exports', {})).json<Operation>();
    expect(begun).toMatchObject({ kind: 'data-export' });
    await ended(begun.id);
    const { file } = await readOperation(begun.id);
    expect(file?.name).toMatch(/^backup-\d{4}-\d\d-\d\d\.json$/);
    exported = await (await admin.get(`/api/operations/${begun.id}/file`)).text();
    const data = JSON.parse(exported) as Record<string, unknown[]>;
    expect(Object.keys(data)).toEqual([
      ...['version', 'exportDate', 'settings', 'customFields', 'contacts', 'templates', 'campaigns'],
    ]);
    expect(data).toMatchObject({ version: '1.0', settings: { timeZone: 'UTC' } });
    expect(data['contacts']).toHaveLength(1500);
    expect(data['contacts']).toContainEqual(
      expect.objectContaining({ name: 'Ann "1"', phone: '+491510000001', optedOut: true, tags: ['vip'] }),
    );
    expect(data['templates']).toEqual([expect.objectContaining({ name: 'welcome', content: 'Hello' })]);
    expect(data['campaigns']).toEqual([expect.objectContaining({ name: 'Spring', status: 'draft' })]);
  });
});

describe('clear all', () => {
  test('asks for the name as it stands', async () => {
    const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
    const before = await count('contacts');
    for (const typed of ['', name.toLowerCase(), `${name}!`]) {
      const refused = await admin.post('/api/data/clear', { name: typed });
      expect(refused.status, typed).toBe(422);
    }
    expect(await count('contacts')).toBe(before);
  });

  test('leaves nothing of this workspace but what stays, and of others everything; a refusal of marketing outlives it', async () => {
    const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
    // How long messages are kept was promised to people.
    await query(
      `UPDATE workspaces SET language = 'de', settings = settings || '{"retention":{"messages":90}}'`,
    );
    const operation = await (await admin.post('/api/data/clear', { name: ` ${name} ` })).json<Operation>();
    await ended(operation.id);

    const rules = listWorkspaceTables(tableRulesByFeature);
    for (const [table, { clear }] of rules)
      if (clear.how !== 'keep' && !table.endsWith('_counts')) expect(await count(table), table).toBe(0);
    expect(await count('contacts', api.otherWorkspaceId)).toBe(1500);
    expect(await count('templates', api.otherWorkspaceId)).toBe(1);
    expect(await (await admin.get('/api/data')).json()).toEqual({
      ...{ name: 'Your Business', contacts: 0, templates: 0, campaigns: 0 },
    });
    expect((await (await admin.get('/api/contacts/summary')).json<{ total: number }>()).total).toBe(0);
    const { rows } = await query('SELECT settings FROM workspaces WHERE id = $1', [api.workspaceId]);
    expect(rows[0].settings).toMatchObject({ autoReply: { isEnabled: false }, retention: { messages: 90 } });
    // Of a page that was opened before, also where nobody had ever saved it.
    const late = await admin.put('/api/settings/messaging', { version: 0, marketingPerWeek: 2 });
    expect(late.status).toBe(409);
    expect(await (await admin.get('/api/settings/general')).json()).toMatchObject({ language: 'en' });

    await admin.post('/api/contacts', { name: 'Ann', phone: '+491510000001' });
    const again = await query(`SELECT opted_out_at FROM contacts WHERE workspace_id = $1`, [api.workspaceId]);
    expect(again.rows[0].opted_out_at).not.toBeNull();
  });
});

test('the contacts of the file are read back by the import of contacts, and who opted out still has', async () => {
  await query('DELETE FROM contacts WHERE workspace_id = $1', [api.workspaceId]);
  const response = await admin.request('/api/contacts/imports?fileName=backup.json', {
    method: 'POST',
    body: exported,
    headers: { 'content-type': 'application/json', prefer: 'wait=50', 'idempotency-key': 'read-back' },
  });
  expect(await response.json()).toMatchObject({ state: 'done', successful: 1500, failed: 0 });
  const { rows } = await query(
    'SELECT phone FROM contacts WHERE workspace_id = $1 AND opted_out_at IS NOT NULL',
    [api.workspaceId],
  );
  expect(rows).toEqual([{ phone: '+491510000001' }]);
});

test('clear all stops what is under way before anything goes: no number sends, and no import adds people afterwards', async () => {
  const operation = '00000000-0000-7000-8000-00000000000a';
  await api.addChannel();
  await query(
    `INSERT INTO operations (id, workspace_id, kind, state, phase, heartbeat_at) VALUES ($1, $2, 'contact-import', 'running', 'saving', now())`,
    [operation, api.workspaceId],
  );
  const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
  const begun = await (await admin.post('/api/data/clear', { name })).json<Operation>();
  const channels = await query('SELECT is_connected FROM channels WHERE workspace_id = $1', [
    api.workspaceId,
  ]);
  expect(channels.rows).toEqual([{ is_connected: false }]);
  await ended(begun.id);
  await expect.poll(() => readOperation(operation)).toMatchObject({ state: 'cancelled' });
});
