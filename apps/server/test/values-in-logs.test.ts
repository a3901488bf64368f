import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@app/database/testing/test-database';
import { createSandbox } from '@app/sandbox/sandbox';
import { readConfig } from '../src/config.ts';
import { startHost, type Host } from '../src/host.ts';
import { channelKinds } from '../src/channel-kinds.ts';
import { createLogger } from '../src/logger.ts';
import { inboundText } from './host-fixture.ts';

const CANARY = 'canary-word';
const CANARY_PHONE = '447700900321';
const PASSWORD = 'Welcome123';

const lines: string[] = [];
const logger = createLogger('trace', { write: (line) => void lines.push(line) });
const closers: (() => Promise<unknown>)[] = [];
let host: Host;
let url: string;
let testDatabase: TestDatabase;
let cookie: string;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'logs-'));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  testDatabase = await createTestDatabase();
  closers.push(() => testDatabase.drop());
  const sandbox = createSandbox({});
  const { url: sandboxUrl } = await sandbox.start({ port: 0 });
  closers.push(() => sandbox.close());
  host = await startHost(
    readConfig({
      ...{ PORT: '0', PUBLIC_URL: 'http://127.0.0.1:3000', DATA_DIR: dataDir, SANDBOX_URL: sandboxUrl },
      ...{ DATABASE_URL: testDatabase.url, SECRET_KEY: 'a key that only these tests know, long enough' },
    }),
    logger,
  );
  closers.push(() => host.stop());
  url = `http://127.0.0.1:${host.port}`;
  const signedIn = await send('POST', '/api/auth/sign-in/email', {
    email: 'admin@example.com',
    password: PASSWORD,
  });
  cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ');
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});
beforeEach(() => void lines.splice(0));

function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, {
    method,
    headers: { ...(cookie && { cookie }), 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** Changes the schema under the running product, so that its queries fail. */
async function broken(change: string, back: string, work: () => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: testDatabase.url });
  await admin.connect();
  try {
    await admin.query(change);
    await work().finally(() => admin.query(back));
  } finally {
    await admin.end();
  }
}

/** Which of the values that a failed request carried stand in its answer or in the log. */
async function findLeaks(response: Response, ...values: string[]): Promise<string[]> {
  const said = `${await response.text()}\n${lines.join('')}`;
  expect(response.status).toBeGreaterThanOrEqual(500);
  expect(lines.join('')).toContain('"statement":');
  return values.filter((value) => said.includes(value));
}

test('a contact that cannot be stored leaves no name, number or text in log and answer', async () => {
  await broken(
    `ALTER TABLE contacts ADD CONSTRAINT always_broken CHECK (name NOT LIKE 'canary%')`,
    'ALTER TABLE contacts DROP CONSTRAINT always_broken',
    async () => {
      const key = { 'idempotency-key': crypto.randomUUID() };
      const contact = { name: CANARY, phone: `+${CANARY_PHONE}`, email: `${CANARY}@example.com` };
      expect(
        await findLeaks(await send('POST', '/api/contacts', contact, key), CANARY, CANARY_PHONE),
      ).toEqual([]);
      expect(lines.join('')).toContain('always_broken');
      expect(lines.join('')).toContain('23514');
    },
  );
});

test('a sign-in that fails in the database leaves neither session token nor address', async () => {
  await broken(
    `ALTER TABLE sessions ADD CONSTRAINT always_broken CHECK (false) NOT VALID`,
    'ALTER TABLE sessions DROP CONSTRAINT always_broken',
    async () => {
      const form = { email: 'manager@example.com', password: PASSWORD };
      const response = await send('POST', '/api/auth/sign-in/email', form, {
        'user-agent': CANARY,
        cookie: '',
      });
      const said = `${await response.text()}\n${lines.join('')}`;
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(said).toContain('sessions');
      expect(said).not.toMatch(/canary|manager@example\.com|Welcome123|127\.0\.0\.1'|[A-Za-z0-9]{32}/);
    },
  );
});

test('a session that cannot be read leaves no token', async () => {
  await broken(
    'ALTER TABLE sessions RENAME COLUMN expires_at TO gone',
    'ALTER TABLE sessions RENAME COLUMN gone TO expires_at',
    async () => {
      const token = decodeURIComponent(cookie).replace(/^.*?=/, '').split('.')[0]!; // set by the sign-in
      expect(await findLeaks(await send('GET', '/api/contacts'), token)).toEqual([]);
    },
  );
});

test('a webhook that cannot be stored leaves nothing of its message', async () => {
  await broken(
    'ALTER TABLE messages RENAME COLUMN provider_message_id TO gone',
    'ALTER TABLE messages RENAME COLUMN gone TO provider_message_id',
    async () => {
      const body = JSON.stringify(inboundText(CANARY_PHONE, 'wamid.canary', CANARY));
      const signature = createHmac('sha256', 'sandbox-app-secret').update(body).digest('hex');
      const response = await send('POST', '/webhooks/whatsapp/sample', body, {
        'x-hub-signature-256': `sha256=${signature}`,
      });
      expect(await findLeaks(response, CANARY, CANARY_PHONE)).toEqual([]);
    },
  );
});

test('errors that libraries hang values on are logged by their named parts alone', () => {
  const failure = Object.assign(new pg.DatabaseError(`Key (phone)=(${CANARY})`, 1, 'error'), {
    ...{ code: '23505', constraint: 'contacts_phone', detail: CANARY, where: CANARY },
  });
  const cause = new DrizzleQueryError('INSERT INTO contacts VALUES ($1)', [CANARY], failure);
  logger.error({ err: new Error('The import failed.', { cause }) }, 'failed');
  logger.error(
    { err: Object.assign(new Error('Invalid.'), { data: CANARY, config: { body: CANARY } }) },
    'failed',
  );
  logger.error({ err: { thrown: CANARY } }, 'failed');
  expect(lines.join('')).toContain(
    '"constraint":"contacts_phone","statement":"INSERT INTO contacts VALUES ($1)"',
  );
  expect(lines.join('')).not.toContain(CANARY);
});

test('what opens a channel is blanked, whatever its kind calls it', () => {
  const secrets = channelKinds.flatMap(({ credentials }) =>
    credentials.fields.filter(({ isSecret }) => isSecret).map(({ name }) => name),
  );
  expect(secrets.length).toBeGreaterThan(0);
  for (const name of [...secrets, 'credentials', 'secrets']) {
    logger.warn({ [name]: CANARY, channel: { [name]: CANARY } }, 'a channel was opened');
    logger.warn({ parts: { channel: { [name]: CANARY } } }, 'a channel was opened');
  }
  expect(lines.filter((line) => line.includes(CANARY))).toEqual([]);
  expect(lines.filter((line) => line.includes('[hidden]'))).toHaveLength(2 * (secrets.length + 2));
});
