import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBackups, takeDueBackup } from '../../src/data-management/scheduled-backups.ts';
import type { InstallationBackups } from '../../src/platform/backups/installation-backups.ts';
import { StorageFull } from '../../src/platform/media-store.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

const HOUR = 3_600_000;
/** A place that has room or not, and what lies there. */
const place = {
  ...{ files: new Set<string>(), isFull: false, isBroken: false },
  /** While one is written. */
  meanwhile: async () => {},
};
const backups: InstallationBackups = {
  ...{ everyHours: 24, keep: 2, place: 'disk', isEncrypted: true },
  async take(fileName) {
    if (place.isFull) throw new StorageFull('There is no room.');
    await place.meanwhile();
    place.files.add(fileName);
    return 1_234;
  },
  async verify(_, { restores }) {
    if (place.isBroken) throw new Error('Its bytes are not those that were written.');
    return { isRestored: restores };
  },
  async remove(fileName) {
    place.files.delete(fileName);
  },
};

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture({
    backups,
    logger: { info() {}, warn() {}, error() {} },
  });
  admin = await api.as('admin');
});
afterAll(() => api.close());

const take = async (signal = new AbortController().signal) => (await takeDueBackup(api.parts, signal)).state;
/** The sessions of people end while the days of this test go by. */
const list = async () => ({ items: await api.db.inSystem((_, client) => listBackups(client)) });
const news = async () =>
  (await api.db.systemPool.query(`SELECT count(*)::int AS n FROM events WHERE type = 'data.backup_failed'`))
    .rows[0].n as number;

test('nothing is taken where no place is named, and nobody but an admin sees any of it', async () => {
  const { state } = await takeDueBackup({ ...api.parts, backups: null }, new AbortController().signal);
  expect(state).toBe('off');
  expect((await (await api.as('manager')).get('/api/data/backups')).status).toBe(403);
  const seen = await (await admin.get('/api/data/backups')).json();
  expect(seen).toMatchObject({ plan: { everyHours: 24, keep: 2, isEncrypted: true }, items: [] });
});

test('one is taken when it is due, verified, and only so many stay', async () => {
  expect([await take(), await take()]).toEqual(['done', 'early']);
  for (let day = 0; day < 3; day += 1) {
    api.advance(24 * HOUR);
    expect(await take()).toBe('done');
  }
  expect(place.files.size).toBe(2);
  const { items } = await list();
  expect(items).toHaveLength(2);
  expect(items[0]).toMatchObject({
    ...{ state: 'done', bytes: 1_234, isVerified: true, isRestored: true, error: null },
  });
});

test('one that fails leaves no file, is told once to every workspace, and is tried again', async () => {
  api.advance(24 * HOUR);
  place.isFull = true;
  expect([await take(), await take()]).toEqual(['failed', 'early']);
  expect((await list()).items[0]).toMatchObject({ state: 'failed', error: 'storage_full' });
  expect(await news()).toBe(2);
  place.isFull = false;
  place.isBroken = true;
  api.advance(HOUR);
  expect(await take()).toBe('failed');
  expect([place.files.size, await news()]).toEqual([2, 2]);
  place.isBroken = false;
  api.advance(HOUR);
  expect(await take()).toBe('done');
  expect(place.files.size).toBe(2);
});

test('one whose process died is begun anew at once', async () => {
  api.advance(24 * HOUR);
  const stopping = new AbortController();
  stopping.abort();
  place.isBroken = true;
  await expect(take(stopping.signal)).rejects.toThrow('aborted');
  place.isBroken = false;
  expect((await list()).items[0]).toMatchObject({ state: 'running' });
  expect(await take()).toBe('done');
  const { items } = await list();
  expect(items.map(({ error }) => error)).toContain('interrupted');
  // What it had put in place, and nobody had read back, is gone.
  expect(place.files.size).toBe(2);
});

test('one that was held for dead and comes to its end leaves nothing beside that of the other process', async () => {
  api.advance(24 * HOUR);
  const before = await news();
  let other = '';
  place.meanwhile = async () => {
    place.meanwhile = async () => {};
    other = await take();
  };
  expect([await take(), other]).toEqual(['failed', 'done']);
  const { rows } = await api.db.systemPool.query<{ file_name: string }>(
    `SELECT file_name FROM installation_backups WHERE state = 'done' OR file_name IS NOT NULL ORDER BY file_name`,
  );
  expect(rows.map((row) => row.file_name)).toEqual([...place.files].sort());
  expect([place.files.size, await news()]).toEqual([2, before]);
});

test('one that hangs is told once, whether it heard that its time is over or not', async () => {
  api.advance(24 * HOUR);
  const before = await news();
  const overdue = new AbortController();
  overdue.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  place.isBroken = true;
  expect(await take(overdue.signal)).toBe('failed');
  expect((await list()).items[0]).toMatchObject({ state: 'failed', error: 'timed_out' });
  expect(await news()).toBe(before + 2);
  place.isBroken = false;
  api.advance(HOUR);
  expect(await take()).toBe('done');

  api.advance(24 * HOUR);
  const stopping = new AbortController();
  stopping.abort();
  place.isBroken = true;
  await expect(take(stopping.signal)).rejects.toThrow('aborted');
  place.isBroken = false;
  api.advance(13 * HOUR);
  expect(await take()).toBe('done');
  expect((await list()).items.map(({ error }) => error)).toContain('timed_out');
  expect(await news()).toBe(before + 4);
});
