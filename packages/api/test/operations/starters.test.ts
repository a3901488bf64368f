import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { DAYS_OPERATION_STORED } from '@app/domain/operations/operation-kinds';
import { MOST_WAITING } from '../../src/contact-imports/begin-upload.ts';
import { deleteOldImports } from '../../src/contact-imports/import-record.ts';
import { contactImport } from '../../src/contact-imports/import-operation.ts';
import { dataImport } from '../../src/data-management/import-operation.ts';
import { dataClear } from '../../src/data-management/clear-operation.ts';
import { contactRemoval } from '../../src/contact-removals/removal-operations.ts';
import type { OperationKind } from '../../src/platform/operations/operation-kind.ts';
import { runOperation } from '../../src/platform/operations/run-operation.ts';
import { deleteOldOperations } from '../../src/platform/operations/delete-operations.ts';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Operation = { id: string; state: string; done: number; error: { code: string } | null };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  // Nobody works in the background: an act stands where its first step left it.
  api = await openApiFixture({}, { isWorking: false });
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.db.systemPool.query('DELETE FROM contacts');
  await api.db.systemPool.query('DELETE FROM operations');
});

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;
const readOperation = async (id: string) => (await admin.get(`/api/operations/${id}`)).json<Operation>();
const addMany = (count: number) =>
  query(
    `INSERT INTO contacts (id, workspace_id, name, phone, created_at)
     SELECT gen_random_uuid(), $1, 'Contact ' || n, '+1415' || (2000000 + n), now() - interval '1 minute' FROM generate_series(1, $2) n`,
    [api.workspaceId, count],
  );
const upload = (importId: string, caller = admin) =>
  caller.request(`/api/contacts/imports?importId=${importId}`, {
    method: 'POST',
    body: 'name,phone\nAnn,+447700900001\n',
    headers: { 'content-type': 'text/csv' },
  });
/** Some process takes it up, and works on it until it is over. */
const workUntilOver = async (kind: OperationKind, id: string) => {
  const { workspaceId, parts } = api;
  await runOperation(parts, kind, { id, workspaceId, signal: new AbortController().signal });
  return readOperation(id);
};

describe('an import', () => {
  test('is answered as soon as its file is here, and nobody waits for a turn', async () => {
    const id = newId();
    const answer = await upload(id);
    expect([answer.status, await answer.json()]).toMatchObject([202, { id, state: 'queued' }]);
  });

  longTest('is refused while as many of the workspace wait as may, however many come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: MOST_WAITING + 3 }, async () => {
        for (;;) {
          const answer = await upload(newId());
          if (answer.status !== 503) return answer;
        }
      }),
    );
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(await refused[0]!.json()).toMatchObject({
      error: { code: 'contact_imports_waiting', details: { values: { most: MOST_WAITING } } },
    });
    const other = await api.asOther();
    expect((await upload(newId(), other)).status).toBe(202);
  });
});

longTest('what is over is put away all at once; what goes on, and what others began, stays', async () => {
  await addMany(12_000);
  const wish = { format: 'csv', choice: { filter: {} } };
  const { id: going } = await (await admin.post('/api/contacts/exports', wish)).json<Operation>();
  const nobody = { format: 'csv', choice: { filter: { search: 'nobody' } } };
  await admin.post('/api/contacts/exports', nobody);
  const agent = await api.as('agent');
  await agent.post('/api/contacts/exports', nobody);
  expect((await admin.post('/api/operations/dismiss', {})).status).toBe(200);
  const idsOf = async (caller: ApiCaller) =>
    (await (await caller.get('/api/operations')).json<{ items: Operation[] }>()).items.map(({ id }) => id);
  expect(await idsOf(admin)).toEqual([going]);
  expect(await idsOf(agent)).toHaveLength(2);
});

test('what ended long ago is forgotten, with what came of an import', async () => {
  const [old, young] = [newId(), newId()];
  await upload(old);
  await upload(young);
  await query(`UPDATE operations SET state = 'done', ended_at = now()`);
  const past = `now() - interval '${DAYS_OPERATION_STORED + 1} days'`;
  await query(`UPDATE operations SET ended_at = ${past} WHERE id = $1`, [old]);
  await query(`UPDATE contact_imports SET created_at = ${past} WHERE id = $1`, [old]);
  await deleteOldOperations(api.parts);
  await deleteOldImports(api.parts);
  expect(await query('SELECT id FROM operations')).toEqual([{ id: young }]);
  expect(await query('SELECT id FROM contact_imports WHERE id = ANY ($1)', [[old, young]])).toEqual([
    { id: young },
  ]);
  expect(await query('SELECT FROM operation_parts WHERE operation_id = $1', [old])).toEqual([]);
});

test('a large import that is forgotten goes in slices, and itself with the last one', async () => {
  const old = newId();
  await upload(old);
  await query(
    `UPDATE contact_imports SET created_at = now() - interval '${DAYS_OPERATION_STORED + 1} days' WHERE id = $1`,
    [old],
  );
  await query('DELETE FROM operations WHERE id = $1', [old]);
  await query(
    `INSERT INTO contact_import_changes (import_id, workspace_id, contact_id, name, tags, status, version)
     SELECT $1, $2, gen_random_uuid(), 'Ann', '{}', 'active', 1 FROM generate_series(1, 5)`,
    [old, api.workspaceId],
  );
  const left = async () => [
    (await query('SELECT FROM contact_import_changes WHERE import_id = $1', [old])).length,
    (await query('SELECT FROM contact_imports WHERE id = $1', [old])).length,
  ];
  const seen = [];
  for (let time = 0; time < 3; time += 1) {
    await deleteOldImports(api.parts, 2);
    seen.push(await left());
  }
  expect(seen).toEqual([
    [3, 1],
    [1, 1],
    [0, 0],
  ]);
});

describe('an import of a whole file of data', () => {
  const file = JSON.stringify({
    ...{ version: '1.0', settings: {}, templates: [{ name: 'hello', content: 'Hello' }], campaigns: [] },
    contacts: [{ name: 'Ann', phone: '+447700900001' }],
  });
  const begin = async (caller = admin) => {
    const id = newId();
    const answer = await caller.request(`/api/data/imports?importId=${id}&prefers=file&fileName=a.json`, {
      ...{ method: 'POST', body: file, headers: { 'content-type': 'application/json' } },
    });
    expect([answer.status, await readOperation(id)]).toMatchObject([202, { state: 'queued' }]);
    return id;
  };
  const holds = async () => [
    (await query('SELECT FROM contacts')).length,
    (await query('SELECT FROM templates')).length,
  ];

  test('whose process stops leaves nothing, and the next one does all of it', async () => {
    const id = await begin();
    const { workspaceId, parts } = api;
    const stopped = runOperation(parts, dataImport, { id, workspaceId, signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow('aborted');
    expect([(await readOperation(id)).state, await holds()]).toEqual(['interrupted', [0, 0]]);
    expect(await workUntilOver(dataImport, id)).toMatchObject({ state: 'done' });
    expect(await holds()).toEqual([1, 1]);
  });

  test('leaves nothing when whoever began it may not do that any more', async () => {
    await query('DELETE FROM templates');
    const id = await begin();
    const own = [await api.userId('admin@acme.test')];
    await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, own);
    const { workspaceId, parts } = api;
    await runOperation(parts, dataImport, { id, workspaceId, signal: new AbortController().signal });
    await query(`UPDATE memberships SET role = 'admin' WHERE user_id = $1`, own);
    expect(await readOperation(id)).toMatchObject({
      state: 'failed',
      error: { code: 'starter_not_allowed' },
    });
    expect(await holds()).toEqual([0, 0]);
  });
});

describe('whoever began an act and may not do it any more', () => {
  longTest(
    'has a clearing of everything go on to its end, since half of it is no state to be in',
    async () => {
      await addMany(2_500);
      const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
      const { id } = await (await admin.post('/api/data/clear', { name })).json<Operation>();
      expect((await readOperation(id)).state).toBe('running');
      const own = [await api.userId('admin@acme.test')];
      await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, own);
      await runOperation(api.parts, dataClear, {
        ...{ id, workspaceId: api.workspaceId, signal: new AbortController().signal },
      });
      expect(await query('SELECT state FROM operations WHERE id = $1', [id])).toEqual([{ state: 'done' }]);
      expect(await query('SELECT FROM contacts WHERE workspace_id = $1', [api.workspaceId])).toEqual([]);
      await query(`UPDATE memberships SET role = 'admin' WHERE user_id = $1`, own);
    },
  );

  longTest('ends a deletion where it is: it can be undone, and says why', async () => {
    await addMany(12_000);
    const manager = await api.as('manager');
    const id = newId();
    await manager.post('/api/contacts/removals', { removalId: id, choice: { filter: {} } });
    const { done, state } = await readOperation(id);
    expect(state).toBe('running');
    await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [
      await api.userId('manager@acme.test'),
    ]);
    expect(await workUntilOver(contactRemoval, id)).toMatchObject({
      state: 'failed',
      done,
      error: { code: 'starter_not_allowed' },
    });
    expect(await query('SELECT count(*)::integer AS n FROM contacts')).toEqual([{ n: 12_000 - done }]);
    expect(await query(`SELECT type FROM events WHERE subject_id = $1 ORDER BY id`, [id])).toEqual([
      { type: 'contacts.deleted' },
      { type: 'long_act.ended' },
    ]);
    await query(`UPDATE memberships SET role = 'manager' WHERE user_id = $1`, [
      await api.userId('manager@acme.test'),
    ]);
  });

  test.each<[what: string, end: string]>([
    ['revoked', 'DELETE FROM api_keys WHERE id = $1'],
    ['expired', `UPDATE api_keys SET expires_at = created_at + interval '1 millisecond' WHERE id = $1`],
  ])('imports nothing, once the API key of it is %s', async (_, end) => {
    const key = await makeApiKey(admin, { scopes: ['contacts:create'] });
    const id = newId();
    expect((await upload(id, callWithKey(api, key.secret))).status).toBe(202);
    await query(end, [key.id]);
    expect(await workUntilOver(contactImport, id)).toMatchObject({
      state: 'failed',
      error: { code: 'starter_not_allowed' },
    });
    expect(await query('SELECT FROM contacts')).toEqual([]);
  });

  test('imports nothing, once they are deactivated', async () => {
    const manager = await api.as('manager');
    const id = newId();
    expect((await upload(id, manager)).status).toBe(202);
    await query('UPDATE memberships SET is_active = false WHERE user_id = $1', [
      await api.userId('manager@acme.test'),
    ]);
    expect(await workUntilOver(contactImport, id)).toMatchObject({
      state: 'failed',
      error: { code: 'starter_not_allowed' },
    });
    expect(await query('SELECT FROM contacts')).toEqual([]);
  });
});
