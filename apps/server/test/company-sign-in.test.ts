import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@app/database/testing/test-database';
import { CLIENT_ID, CLIENT_SECRET } from '@app/sandbox/openid/openid-provider';
import { createSandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { readConfig } from '../src/config.ts';
import { startHost, type Host } from '../src/host.ts';

const sandbox = createSandbox();
let sandboxUrl: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let lines: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'company-'));
  sandboxUrl = (await sandbox.start({ port: 0 })).url;
});
afterAll(async () => {
  await sandbox.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(issuer: string): Promise<Host> {
  lines = [];
  const keep = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return startHost(
    readConfig({
      ...{ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: database.url, SANDBOX_URL: sandboxUrl, ROLES: 'web' },
      SECRET_KEY: 'a key that only these tests know, long enough',
      ...{
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_NAME: 'Acme',
      },
    }),
    { info: keep, warn: keep, error: keep },
  );
}

const begin = (host: Host) =>
  fetch(`http://127.0.0.1:${host.port}/api/auth/company/begin`, { method: 'POST', body: '{}' });

test('a provider that answers is said to be ready, and people are sent to it', async () => {
  const host = await start(`${sandboxUrl}/oidc`);
  try {
    await expect.poll(() => lines.join('\n')).toContain('the company sign-in is ready');
    const { address } = (await (await begin(host)).json()) as { address: string };
    expect(new URL(address).origin).toBe(sandboxUrl);
    expect(lines.join('\n')).not.toContain(CLIENT_SECRET);
  } finally {
    await host.stop();
  }
});

longTest.each(['nobody is there', 'another issuer answers'])(
  'when %s the product starts all the same, says so, and takes passwords',
  async (what) => {
    const host = await start(what === 'nobody is there' ? await findDeadAddress() : `${sandboxUrl}/graph`);
    try {
      await expect.poll(() => lines.join('\n')).toContain('the company sign-in cannot be reached');
      expect((await begin(host)).status).toBe(503);
      const signIn = await fetch(`http://127.0.0.1:${host.port}/api/auth/sign-in/email`, {
        method: 'POST',
        body: JSON.stringify({ email: 'admin@example.com', password: 'Welcome123' }),
      });
      expect(signIn.status).toBe(200);
    } finally {
      await host.stop();
    }
  },
);

async function findDeadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
