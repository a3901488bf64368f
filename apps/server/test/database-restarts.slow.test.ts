import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LISTENER_NAME } from '@app/database/keep-listening';
import { findPostmaster } from '@app/database/embedded/postmaster-file';
import { EMBEDDED_DATABASE } from '@app/database/embedded/embedded-postgres';
import { findQuickPlace } from '@app/database/testing/quick-place';
import { createSandbox } from '@app/sandbox/sandbox';
import { readConfig } from '../src/config.ts';
import { startHost, type Host } from '../src/host.ts';
import { eventually } from './host-fixture.ts';

const QUIET = { info() {}, warn() {}, error() {} };
let dataDir: string;
let host: Host;
let url: string;
let cookie: string;
let isStopped = false;
const sandbox = createSandbox({});

beforeAll(async () => {
  dataDir = await mkdtemp(join(findQuickPlace(), 'restarts-'));
  // As root the database server runs under an account of its own, which must get in.
  await chmod(dataDir, 0o755);
  const { url: sandboxUrl } = await sandbox.start({ port: 0 });
  const settings = {
    PORT: '0',
    PUBLIC_URL: 'http://127.0.0.1:3000',
    DATA_DIR: dataDir,
    SANDBOX_URL: sandboxUrl,
  };
  host = await startHost(readConfig(settings), QUIET);
  url = `http://127.0.0.1:${host.port}`;
  const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    body: JSON.stringify({ email: 'admin@example.com', password: 'Welcome123' }),
    headers: { 'content-type': 'application/json' },
  });
  cookie = signIn.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ');
});
afterAll(async () => {
  if (!isStopped) await host.stop();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

const postmaster = () => findPostmaster(join(dataDir, 'postgres', 'data'));

async function isReady(): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).status === 200;
}

async function restartDatabase(signal: NodeJS.Signals): Promise<void> {
  const before = postmaster()!.pid; // the product runs on it
  process.kill(before, signal);
  await eventually(
    async () => (postmaster()?.pid !== before && (await isReady())) || 'not yet',
    (state) => state === true,
    60_000,
  );
}

async function query<Row extends object>(text: string): Promise<Row[]> {
  const socket = postmaster()?.socketDirectory ?? '';
  const client = new pg.Client({
    connectionString: `postgres://postgres@localhost/${EMBEDDED_DATABASE}?host=${encodeURIComponent(socket)}`,
  });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const readListeners = () => query(`SELECT FROM pg_stat_activity WHERE application_name = '${LISTENER_NAME}'`);

/** Follows the event stream of a browser. */
async function followEvents() {
  const ended = new AbortController();
  const response = await fetch(`${url}/api/events`, { headers: { cookie }, signal: ended.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  })().catch(() => undefined);
  const topics = () => [...text.matchAll(/^event: (\S+)$/gm)].map(([, topic = '']) => topic);
  return {
    topics,
    clear: () => void (text = ''),
    close: () => {
      ended.abort();
      return reading;
    },
  };
}

test('after restarts of the database four connections listen, open streams read anew, jobs run, and stopping is quick', async () => {
  const stream = await followEvents();
  const other = await followEvents();
  await eventually(
    async () => stream.topics(),
    (topics) => topics.includes('ready'),
  );
  await eventually(readListeners, (listeners) => listeners.length === 4);

  for (const signal of ['SIGINT', 'SIGKILL', 'SIGINT', 'SIGINT'] as const) {
    stream.clear();
    await restartDatabase(signal);
    await eventually(
      async () => stream.topics(),
      (topics) => topics.includes('resync'),
    );
  }
  await eventually(readListeners, (listeners) => listeners.length === 4);

  stream.clear();
  const contact = { name: 'Ann', phone: '+447700900777' };
  const added = await fetch(`${url}/api/contacts`, {
    method: 'POST',
    body: JSON.stringify(contact),
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(), cookie },
  });
  expect(added.status).toBeLessThan(300);
  await eventually(
    async () => stream.topics(),
    (topics) => topics.includes('contacts'),
  );
  await stream.close();
  await other.close();

  // No mail server answers here: that the job was tried is enough.
  const asked = await fetch(`${url}/api/auth/request-password-reset`, {
    method: 'POST',
    body: JSON.stringify({ email: 'admin@example.com' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(asked.status).toBe(200);
  await eventually(
    () =>
      query<{ state: string; code: string }>(
        `SELECT state, output->>'code' AS code FROM jobs.job WHERE name = 'reset-link-mail'`,
      ),
    ([job]) => job?.state === 'retry' && job.code === 'ESOCKET',
  );

  // Once more, and it is stopped while the database is away.
  process.kill(postmaster()!.pid, 'SIGINT'); // the product runs on it
  const begun = Date.now();
  isStopped = true;
  await host.stop();
  expect(Date.now() - begun).toBeLessThan(10_000);
});
