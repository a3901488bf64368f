import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { tidyArchiveImports } from '../../src/data-management/archive-import/leftovers.ts';
import { archiveReplacement } from '../../src/data-management/archive-import/replace-operation.ts';
import { rememberErased } from '../../src/platform/erased-people.ts';
import { runOperation } from '../../src/platform/operations/run-operation.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';
import { openArchiveImports } from './archive-imports-fixture.ts';

const store = createMemoryMediaStore();
let api: ApiFixture;
let other: ApiCaller;
let beside: ReturnType<typeof openArchiveImports>;
let file: Uint8Array;

const query = async (text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows;
const addContact = (workspaceId: string, name: string, phone: string, optedOutAt: Date | null = null) =>
  query('INSERT INTO contacts (id, workspace_id, name, phone, opted_out_at) VALUES ($1, $2, $3, $4, $5)', [
    ...[newId(), workspaceId, name, phone, optedOutAt],
  ]);
const names = async () =>
  (
    await query('SELECT name FROM contacts WHERE workspace_id = $1 ORDER BY name', [api.otherWorkspaceId])
  ).map(({ name }) => name as string);

beforeAll(async () => {
  api = await openApiFixture({ mediaStore: store }, { isWorking: false });
  other = await api.asOther();
  beside = openArchiveImports(api, other, api.otherWorkspaceId);
  await addContact(api.workspaceId, 'Erased here', '+491500000001');
  await addContact(api.workspaceId, 'Said no here', '+491500000002');
  await addContact(api.workspaceId, 'Somebody', '+491500000003');
  file = await openArchiveImports(api, await api.as('admin'), api.workspaceId).take();
  await addContact(api.otherWorkspaceId, 'Was here', '+491500000009');
});
afterAll(() => api.close());

longTest(
  'one act at a time, however many ask for it; a process that dies leaves what was here, and the next one goes on',
  async () => {
    const id = await beside.sent(file);
    await beside.check(id);
    const answers = await Promise.all([beside.startReplacing(id), beside.startReplacing(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { id: operationId } = await answers.find(({ status }) => status === 200)!.json<{ id: string }>();
    const stopping = new AbortController();
    const dying: ApiFixture['parts']['takeArchive'] = async (wanted) => {
      const taken = await api.parts.takeArchive(wanted);
      stopping.abort();
      return taken;
    };
    const place = { id: operationId, workspaceId: api.otherWorkspaceId };
    const parts = { ...api.parts, takeArchive: dying };
    await expect(
      runOperation(parts, archiveReplacement, { ...place, signal: stopping.signal }),
    ).rejects.toThrow('abort');
    expect(await names()).toEqual(['Was here']);
    expect((await beside.work(archiveReplacement, operationId)).state).toBe('done');
    expect(await names()).toEqual(['Erased here', 'Said no here', 'Somebody']);
    expect([...store.files.keys()].filter((key) => key.includes('/before-'))).toHaveLength(1);
    expect(await beside.undo(id)).toMatchObject({ state: 'done' });
    expect(await names()).toEqual(['Was here']);
  },
);

longTest('who was erased here does not come back, and who said no here still does', async () => {
  await api.db.inSystem((_, client) =>
    rememberErased(client, api.parts.secrets, {
      ...{ workspaceId: api.otherWorkspaceId, identifiers: ['+491500000001'] },
    }),
  );
  await addContact(api.otherWorkspaceId, 'Another name', '+491500000002', new Date());
  await beside.readIn(file);
  expect(await names()).toEqual(['Said no here', 'Somebody']);
  const [said] = await query('SELECT opted_out_at FROM contacts WHERE workspace_id = $1 AND phone = $2', [
    api.otherWorkspaceId,
    '+491500000002',
  ]);
  expect(said.opted_out_at).not.toBeNull();
});

test('a file that is none, is of another kind, or ends too early is refused by its code', async () => {
  const refused = await beside.send(Buffer.from('no archive at all, whatever it is called'));
  expect([refused.status, await refused.json()]).toMatchObject([
    ...[422, { error: { code: 'archive_refused', details: { values: { fault: 'foreign' } } } }],
  ]);
  const cut = await beside.sent(file.subarray(0, -20));
  expect((await beside.check(cut)).error?.code).toBe('archive_truncated');
});

test('whoever fell silent and comes back late ends nothing of the request that took over from it', async () => {
  const id = newId();
  const silent = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        controller.enqueue(file.subarray(0, 100));
        await silent.promise;
        controller.enqueue(file.subarray(100));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const first = other.request(`/api/data/archive-readings?readingId=${id}&fileName=a.archive`, {
    ...{ method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/octet-stream' } },
  } as RequestInit);
  await expect
    .poll(() => query('SELECT state FROM archive_imports WHERE id = $1', [id]))
    .toEqual([{ state: 'receiving' }]);
  expect((await beside.send(file, id)).status).toBe(409);
  await query(`UPDATE archive_imports SET touched_at = touched_at - interval '2 minutes' WHERE id = $1`, [
    id,
  ]);
  expect((await beside.send(file, id)).status).toBe(201);
  silent.resolve();
  expect((await first).status).toBe(422);
  expect(await query('SELECT state, attempt FROM archive_imports WHERE id = $1', [id])).toEqual([
    { state: 'here', attempt: 1 },
  ]);
  expect(await beside.check(id)).toMatchObject({ state: 'done' });
  await other.delete(`/api/data/archive-readings/${id}`);
  await tidyArchiveImports(api.parts);
  expect([...store.files.keys()].filter((key) => key.includes(`reading-${id}`))).toEqual([]);
});
