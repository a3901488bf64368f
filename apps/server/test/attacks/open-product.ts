import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { scryptHasher } from '@app/api/auth/passwords/password-hasher';
import { newId } from '@app/database/new-id';
import { createTestDatabase } from '@app/database/testing/test-database';
import { createSandbox } from '@app/sandbox/sandbox';
import { readConfig } from '../../src/config.ts';
import { startHost } from '../../src/host.ts';
import { createLogger } from '../../src/logger.ts';
import { eventually } from '../host-fixture.ts';

export const PASSWORD = 'Welcome123';
export const MAIL_PASSWORD = 'canary-of-the-mail-server';
export const SECRET_KEY = 'canary-key-that-only-these-tests-know';

export type Answer = { status: number; headers: Headers; text: string };

/** A browser: it keeps the cookies that it is given. */
export type Browser = {
  cookies: Map<string, string>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  signIn(email: string, password?: string): Promise<Answer>;
};

export type Person = { id: string; email: string; browser: Browser };

export type Product = {
  url: string;
  databaseUrl: string;
  /** System scope, to see what was stored. */
  database: pg.Pool;
  workspaceId: string;
  /** Everything that was logged, from the first line on. */
  lines: readonly string[];
  openBrowser(): Browser;
  /** Somebody of the sample workspace, signed in. */
  addPerson(role?: 'admin' | 'manager' | 'agent' | 'viewer'): Promise<Person>;
  /** The link that the newest mail to this address holds. */
  readMailedToken(to: string): Promise<string>;
  close(): Promise<void>;
};

/** The whole product with its sandbox, over real HTTP. */
export async function openProduct(
  env: (database: string) => Record<string, string> = () => ({}),
): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'attacks-'));
  const testDatabase = await createTestDatabase();
  const sandbox = createSandbox();
  const { url: sandboxUrl, mailPort } = await sandbox.start({ port: 0, mailPort: 0 });
  const lines: string[] = [];
  const host = await startHost(
    readConfig({
      ...{ PORT: '0', PUBLIC_URL: 'http://127.0.0.1:3000', DATA_DIR: dataDir, SANDBOX_URL: sandboxUrl },
      ...{ DATABASE_URL: testDatabase.url, SECRET_KEY },
      SMTP_URL: `smtp://mailer:${MAIL_PASSWORD}@127.0.0.1:${mailPort}`,
      ...env(testDatabase.url),
    }),
    createLogger('trace', { write: (line) => void lines.push(line) }),
  );
  const url = `http://127.0.0.1:${host.port}`;
  const database = new pg.Pool({
    connectionString: testDatabase.url,
    max: 3,
    options: '-c app.scope=system',
  });
  database.on('error', () => undefined);
  database.on('connect', (client) => client.on('error', () => undefined));
  const { rows } = await database.query(`SELECT id FROM workspaces WHERE slug = 'sample'`);
  const workspaceId: string = rows[0].id;
  // Slow on purpose, so that it is made once.
  const passwordHash = await scryptHasher.hash(PASSWORD);

  function openBrowser(): Browser {
    const cookies = new Map<string, string>();
    const browser: Browser = {
      cookies,
      async send(method, path, body, headers = {}) {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: {
            ...(cookies.size > 0 && {
              cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            }),
            ...(method !== 'GET' && { 'idempotency-key': crypto.randomUUID() }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: asBody(body) }),
        });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
          else cookies.set(name, value);
        }
        return { status: response.status, headers: response.headers, text: await response.text() };
      },
      signIn: (email, password = PASSWORD) =>
        browser.send('POST', '/api/auth/sign-in/email', { email, password, rememberMe: true }),
    };
    return browser;
  }

  return {
    url,
    databaseUrl: testDatabase.url,
    database,
    workspaceId,
    lines,
    openBrowser,
    async addPerson(role = 'agent') {
      const [id, email] = [newId(), `person-${newId()}@example.com`];
      await database.query(
        `WITH person AS (INSERT INTO users (id, name, email, first_name, last_name, email_verified)
                           VALUES ($1, 'Noor Haddad', $2, 'Noor', 'Haddad', true) RETURNING id),
              account AS (INSERT INTO accounts (id, user_id, account_id, provider_id, password)
                            SELECT $3, id, id, 'credential', $4 FROM person)
         INSERT INTO memberships (workspace_id, user_id, role) SELECT $5, id, $6 FROM person`,
        [id, email, newId(), passwordHash, workspaceId, role],
      );
      const browser = openBrowser();
      const { status, text } = await browser.signIn(email);
      if (status !== 200) throw new Error(`${email} cannot sign in: ${text}`);
      return { id, email, browser };
    },
    async readMailedToken(to) {
      const mail = await eventually(
        async () => {
          const answer = await fetch(`${sandboxUrl}/_sandbox/mail`);
          const { mails } = (await answer.json()) as { mails: { to: string[]; text: string }[] }; // of the sandbox
          return mails.find((one) => one.to.includes(to) && one.text.includes('token='));
        },
        (found) => found !== undefined,
      );
      return decodeURIComponent(/token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '');
    },
    async close() {
      await host.stop();
      await sandbox.close();
      await database.end();
      await testDatabase.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function asBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The code of a refusal; a text when the answer is none. */
export function codeOf({ text }: Answer): string {
  try {
    return JSON.parse(text).error?.code ?? 'no refusal';
  } catch {
    return 'no refusal';
  }
}

/** The one-time code of a secret as RFC 6238 has it, so many steps of thirty seconds from now. */
export function oneTimeCode(secret: string, steps = 0): string {
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const place = digest.at(-1)! & 15; // twenty bytes long
  return String((digest.readUInt32BE(place) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}
