import { newId } from '@app/database/new-id';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countLockWaits } from '../lock-waits.ts';
import { openProcesses, type Processes } from './processes.ts';

// Of what is killed in its middle and goes on there: killed-operations.slow.test.ts.
let processes: Processes;
beforeAll(async () => {
  processes = await openProcesses();
});
afterAll(() => processes.api.close());
afterEach(() => processes.killAll());

test('an import whose process is killed is finished by another one, once', async () => {
  const holder = new pg.Client({ connectionString: processes.api.databaseUrl });
  await holder.connect();
  const first = await processes.start();
  const id = newId();
  const rows = Array.from({ length: 3_000 }, (_, n) => `Person ${n},+1415${3_000_000 + n}`);
  try {
    await holder.query('BEGIN; LOCK TABLE contact_aliases IN ACCESS EXCLUSIVE MODE');
    const leaving = new AbortController();
    const sent = processes.admin
      .request(`/api/contacts/imports?importId=${id}`, {
        ...{ method: 'POST', body: ['name,phone', ...rows].join('\n'), signal: leaving.signal },
        headers: { prefer: 'wait=50', 'content-type': 'text/csv' },
      })
      .catch(() => undefined);
    // Its file is read, and its process waits with the rows in hand.
    await expect.poll(() => countLockWaits(holder, 'contact_aliases')).toBe(1);
    await processes.kill(first);
    leaving.abort();
    await sent;
    await processes.start();
    await holder.query('COMMIT');
  } finally {
    await holder.end();
  }
  await processes.expectDone(id);
  expect(await processes.countContacts()).toBe(3_000);
  expect(await processes.told(id)).toEqual(['contacts.imported', 'long_act.ended']);
  expect(
    (await processes.api.db.systemPool.query('SELECT FROM operation_parts WHERE operation_id = $1', [id]))
      .rowCount,
  ).toBe(0);
});
