import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '@app/database/testing/test-database';
import { createSandbox } from '@app/sandbox/sandbox';
import { readConfig } from '../src/config.ts';
import { startHost, type Host } from '../src/host.ts';
import { eventually } from './host-fixture.ts';

const QUIET = { info() {}, warn() {}, error() {} };
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const closers: (() => Promise<unknown>)[] = [];
let settings: Record<string, string>;
let database: pg.Pool;
let web: Host;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mail-'));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  const testDatabase = await createTestDatabase();
  closers.push(() => testDatabase.drop());
  const sandbox = createSandbox({});
  const { url: sandboxUrl } = await sandbox.start({ port: 0 });
  closers.push(() => sandbox.close());
  settings = {
    PORT: '0',
    PUBLIC_URL: 'http://127.0.0.1:3000',
    DATA_DIR: dataDir,
    DATABASE_URL: testDatabase.url,
    SECRET_KEY: 'a key that only these tests know, long enough',
    SANDBOX_URL: sandboxUrl,
  };
  database = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  closers.push(() => database.end());
  web = await startHost(readConfig({ ...settings, ROLES: 'web' }), QUIET);
  closers.push(() => web.stop());
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

type MailJob = { id: string; state: string; code: string | null };
const readJobs = async () =>
  (
    await database.query<MailJob>(
      `SELECT id, state, output->>'code' AS code FROM jobs.job WHERE name = 'reset-link-mail'`,
    )
  ).rows;

test('a mail outlives a killed process and a mail server that is down, and no request waits for either', async () => {
  const silent = await listenSilently();
  const killed = startWorker({ SMTP_URL: `smtp://127.0.0.1:${silent.port}` });
  const answer = await fetch(`http://127.0.0.1:${web.port}/api/auth/request-password-reset`, {
    method: 'POST',
    body: JSON.stringify({ email: 'admin@example.com' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  await eventually(silent.countCallers, (callers) => callers === 1);
  expect(await readJobs()).toMatchObject([{ state: 'active' }]);
  const gone = new Promise((resolve) => killed.once('exit', resolve));
  killed.kill('SIGKILL');
  await gone;
  // The time passes after which its silence is heard.
  await database.query(
    `UPDATE jobs.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'`,
  );

  // Another process takes it up; its mail server does not listen yet.
  const mailPort = await findClosedPort();
  const worker = await startHost(
    readConfig({ ...settings, ROLES: 'worker', SMTP_URL: `smtp://127.0.0.1:${mailPort}` }),
    QUIET,
  );
  closers.push(() => worker.stop());
  await eventually(readJobs, ([job]) => job?.state === 'retry' && job.code === 'ESOCKET');

  const mailServer = createSandbox({});
  const { url: mailUrl } = await mailServer.start({ port: 0, mailPort });
  closers.push(() => mailServer.close());
  // The pause before its next attempt passes.
  await database.query(`UPDATE jobs.job SET start_after = now() WHERE name = 'reset-link-mail'`);
  await eventually(readJobs, ([job]) => job?.state === 'completed');
  const { mails } = (await (await fetch(`${mailUrl}/_sandbox/mail`)).json()) as {
    mails: { to: string[]; subject: string; text: string }[];
  };
  expect(mails).toMatchObject([{ to: ['admin@example.com'], subject: 'Choose a new password' }]);

  // What opens an account is in the mail alone.
  const [, token = ''] = /token=([\w-]+)/.exec(mails[0]!.text) ?? []; // it is one mail
  expect(token).not.toBe('');
  const { rows } = await database.query(`SELECT * FROM jobs.job`);
  expect(JSON.stringify(rows)).not.toContain(token);
  const opened = await fetch(`http://127.0.0.1:${web.port}/api/auth/reset-password`, {
    method: 'POST',
    body: JSON.stringify({ token, password: 'Another123' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(opened.status).toBe(200);
});

test('what failed for good is seen by the operator and runs again', async () => {
  const at = `http://127.0.0.1:${web.port}/metrics`;
  const read = async () => (await fetch(at)).text();
  expect(await read()).toContain('messaging_jobs{job="reset-link-mail",state="failed"} 0');
  await database.query(
    `UPDATE jobs.job SET state = 'failed', output = '{"code":"mail_refused"}', completed_on = now() WHERE name = 'reset-link-mail'`,
  );
  expect(await read()).toContain('messaging_jobs{job="reset-link-mail",state="failed"} 1');
  const { failed } = (await (await fetch(`${at}/jobs`)).json()) as { failed: unknown[] };
  expect(failed).toMatchObject([{ job: 'reset-link-mail', code: 'mail_refused', workspaceId: null }]);
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  expect((await fetch(`${at}/jobs`, { headers: forwarded })).status).toBe(404);
  expect((await fetch(`${at}/jobs`, { method: 'POST', headers: forwarded })).status).toBe(404);
  expect(await (await fetch(`${at}/jobs`, { method: 'POST' })).json()).toEqual({ restarted: 1 });
  await eventually(readJobs, ([job]) => job?.state === 'completed');
});

function startWorker(own: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...settings, ROLES: 'worker', LOG_LEVEL: 'error', ...own },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  closers.push(async () => child.kill('SIGKILL'));
  return child;
}

/** Takes calls and says nothing. */
async function listenSilently(): Promise<{ port: number; countCallers: () => Promise<number> }> {
  let callers = 0;
  const server = createServer((socket) => {
    callers += 1;
    socket.on('error', () => undefined);
  });
  const port = await portOf(server);
  closers.push(async () => server.close());
  return { port, countCallers: async () => callers };
}

async function findClosedPort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}
