import { newId } from '@app/database/new-id';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openProcesses, type Operation, type Processes } from './processes.ts';

let processes: Processes;
beforeAll(async () => {
  processes = await openProcesses();
});
afterAll(() => processes.api.close());
beforeEach(() => processes.api.db.systemPool.query('DELETE FROM contacts'));
afterEach(() => processes.killAll());

/** How far the process that works on it is. Its first bit may have been done by the request itself, which nobody kills. */
const readDone = async (id: string): Promise<number | undefined> => {
  const { rows } = await processes.api.db.systemPool.query(
    'SELECT done::int FROM operations WHERE id = $1 AND run > 0',
    [id],
  );
  return rows[0]?.done;
};

async function addMany(n: number): Promise<void> {
  await processes.api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, created_at)
     SELECT gen_random_uuid(), $1, 'Contact ' || n, '+1415' || (2000000 + n), now() - interval '1 minute' FROM generate_series(1, $2) n`,
    [processes.api.workspaceId, n],
  );
}

test('a deletion whose process is killed goes on in another one where it was, and is told once', async () => {
  await addMany(24_000);
  const first = await processes.start();
  const id = newId();
  await processes.admin.post('/api/contacts/removals', { removalId: id, choice: { filter: {} } });
  await expect.poll(() => readDone(id), { interval: 10 }).toBeGreaterThan(1_000);
  await processes.kill(first);
  const { done } = await processes.readOperation(id);
  expect(done).toBeLessThan(24_000);
  expect(await processes.countContacts()).toBe(24_000 - done);
  await processes.start();
  await processes.expectDone(id);
  expect(await processes.readOperation(id)).toMatchObject({ done: 24_000, total: 24_000 });
  expect(await processes.countContacts()).toBe(0);
  expect(await processes.told(id)).toEqual(['contacts.deleted', 'long_act.ended']);
});

test('an export whose process is killed goes on in another one, and its file is whole', async () => {
  await addMany(24_000);
  const first = await processes.start();
  const begun = await processes.admin.post('/api/contacts/exports', {
    format: 'csv',
    choice: { filter: {} },
  });
  const { id } = await begun.json<Operation>();
  await expect.poll(() => readDone(id), { interval: 10 }).toBeGreaterThan(1_000);
  await processes.kill(first);
  expect((await processes.readOperation(id)).state).not.toBe('done');
  await processes.start();
  await processes.expectDone(id);
  const lines = (await (await processes.admin.get(`/api/operations/${id}/file`)).text()).trim().split('\r\n');
  expect(lines).toHaveLength(24_001);
  expect(new Set(lines).size).toBe(24_001);
});

test('an edit of many whose process is killed goes on in another one, and changes everybody once', async () => {
  await addMany(24_000);
  const first = await processes.start();
  const begun = await processes.admin.post('/api/contacts/edits', {
    choice: { filter: {} },
    addTags: ['spring'],
  });
  const { id } = await begun.json<Operation>();
  await expect.poll(() => readDone(id), { interval: 10 }).toBeGreaterThan(2_000);
  await processes.kill(first);
  expect((await processes.readOperation(id)).state).not.toBe('done');
  await processes.start();
  await processes.expectDone(id);
  expect(await processes.readOperation(id)).toMatchObject({ done: 24_000, result: { changed: 24_000 } });
  const { rows } = await processes.api.db.systemPool.query(
    `SELECT count(*)::int AS edited FROM contacts WHERE tags = '{spring}' AND version = 2`,
  );
  expect(rows).toEqual([{ edited: 24_000 }]);
  expect(await processes.told(id)).toContain('long_act.ended');
});
