import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startHost } from '../src/host.ts';
import { eventually, openHostFixture, SECRET_KEY } from './host-fixture.ts';

const host = await openHostFixture();
afterAll(() => host.close());

test('what was the sample is empty, without its number, and no start seeds another one', async () => {
  await host.database.query(
    `INSERT INTO budget_months (workspace_id, month, used) SELECT id, '2026-11-01', 500 FROM workspaces`,
  );
  const begun = await host.call<{ id: string }>('POST', '/api/data/start-for-real', {
    ...{ name: 'Sample Business', businessName: 'Ada & Co' },
    owner: { firstName: 'Ada', lastName: 'Real', email: 'ada@real.test', password: 'Truly-mine-1' },
  });
  expect(begun.status).toBe(200);
  await eventually(
    () => host.call<{ state: string }>('GET', `/api/operations/${begun.body.id}`),
    ({ body }) => body.state === 'done',
  );
  const dataDir = await mkdtemp(join(tmpdir(), 'host-'));
  const again = await startHost(
    readConfig({
      ...{ PORT: '0', PUBLIC_URL: 'http://127.0.0.1:3000', DATA_DIR: dataDir, SECRET_KEY },
      ...{ DATABASE_URL: host.database.options.connectionString, SANDBOX_URL: host.sandboxUrl },
    }),
    { info() {}, warn() {}, error: (fields: object, message: string) => console.error(message, fields) },
  );
  expect(again.greeting).not.toContain('Welcome123');
  await again.stop();
  await rm(dataDir, { recursive: true, force: true });
  const one = async (text: string) => (await host.database.query(text)).rows;
  expect(await one('SELECT name, is_sample FROM workspaces')).toEqual([
    { name: 'Ada & Co', is_sample: false },
  ]);
  expect(await one('SELECT email FROM users')).toEqual([{ email: 'ada@real.test' }]);
  for (const table of [
    'contacts',
    'templates',
    'campaigns',
    'messages',
    'conversations',
    'channels',
    'budget_months',
  ])
    expect(await one(`SELECT FROM ${table}`), table).toEqual([]);
  expect((await host.call<{ sampleSignIn: unknown }>('GET', '/api/sign-in-hints')).body).toMatchObject({
    sampleSignIn: null,
  });
});
