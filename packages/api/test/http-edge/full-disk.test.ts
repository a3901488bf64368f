import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createStorageWatch } from '../../src/platform/storage/storage-watch.ts';
import { said } from '../arriving-events.ts';
import { openArrivals } from '../arrivals.ts';

let now = Date.now();
const { api, admin, arrive, query } = await openArrivals({ clock: () => new Date(now) });

/** The database itself refuses to write to a table, with the code of PostgreSQL. */
async function refuseWrites(table: string, code: string): Promise<void> {
  await query(`CREATE OR REPLACE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$`);
  await query(
    `CREATE TRIGGER refuse_write BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_write()`,
  );
}
const takeWrites = () => query('DROP FUNCTION IF EXISTS refuse_write() CASCADE');
afterEach(takeWrites);

const codeOf = async (response: Response) =>
  (await (response.json() as Promise<{ error?: { code: string } }>)).error?.code;
const health = async () => (await (await admin.get('/api/health')).json<{ storage: string }>()).storage;
const names = async () =>
  (await (await admin.get('/api/contacts')).json<{ items: { name: string }[] }>()).items.map(
    ({ name }) => name,
  );

test.each([
  ['53100', 507, 'database_full', 'full'],
  ['25006', 503, 'database_read_only', 'read_only'],
])(
  'a database that refuses to write with %s is named, and nothing is lost',
  async (code, status, name, state) => {
    const ready = () => api.app.request('/readyz');
    expect((await ready()).status).toBe(200);
    await refuseWrites('contacts', code);
    const key = crypto.randomUUID();
    const add = () => admin.post('/api/contacts', { name: 'Ann', phone: '+14155552671' }, key);
    const refused = await add();
    expect([refused.status, await codeOf(refused as unknown as Response)]).toEqual([status, name]);
    expect(await names()).toEqual([]);
    const unready = await ready();
    expect([unready.status, await codeOf(unready)]).toEqual([status, name]);
    expect(await health()).toBe(state);
    await takeWrites();
    expect((await add()).status).toBe(200);
    expect(await names()).toEqual(['Ann']);
    now += 61_000;
    expect((await ready()).status).toBe(200);
    expect(await health()).toBe('operational');
  },
);

test('a webhook that cannot be stored is no dead letter: the platform sends it again', async () => {
  await refuseWrites('messages', '53100');
  const message = said({ phone: '+14155552671' }, 'Hello');
  await expect(arrive(message)).rejects.toThrow('53100');
  expect(await query(`SELECT FROM platform_events WHERE kind = 'set_aside'`)).toEqual([]);
  await takeWrites();
  await arrive(message);
  expect(await query('SELECT text FROM messages')).toEqual([{ text: 'Hello' }]);
});

test('a database that takes no writes says so before anybody writes, and a full disk of our own too', async () => {
  const pool = new pg.Pool({
    ...api.db.systemPool.options,
    options: '-c default_transaction_read_only=on',
  });
  try {
    const watch = createStorageWatch({ db: { systemPool: pool }, clock: () => new Date() });
    expect(await watch.read()).toBe('read_only');
  } finally {
    await pool.end();
  }
  const full = createStorageWatch({ db: api.db, clock: () => new Date(), isFull: async () => true });
  expect(await full.read()).toBe('full');
});
