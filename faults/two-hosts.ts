import { randomBytes } from 'node:crypto';
import { openDatabase, type Database } from '@app/database/database';
import { createTestDatabase } from '@app/database/testing/test-database';
import { type Child, findFreePort, startChild } from './child-process.ts';
import { pause } from './world.ts';

export type Answer = { status: number; body: unknown; text: string };
export type Act = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  /** The body as it is, instead of JSON. */
  file?: string;
  key?: string;
  /** Which of the two is asked first. */
  host?: 0 | 1;
};

/** The product as people run it, twice on one database, and the sandbox: any of the two may be killed and comes back at its address. */
export type TwoHosts = {
  database: Database;
  /** Of the first one: where platforms call. */
  url: string;
  workspaceId: string;
  channelId: string;
  /** Single messages of the sample, which nobody sent. */
  sampleMessages: readonly string[];
  /** Kills one without warning and starts it anew. */
  kill(host: 0 | 1): Promise<void>;
  /** As the sample's administrator, of whichever host answers: as long as none does, the same act is asked for again. */
  ask(act: Act): Promise<Answer>;
  /** Contacts with a tag, who wrote a short while ago. */
  addContacts(tag: string, count: number): Promise<string[]>;
  sandbox<Result>(path: string, body?: unknown): Promise<Result>;
  errors(): string;
  close(): Promise<void>;
};

const TRIES = 200;

/** `more`: settings of both processes besides those that every pair has; `roles`: what each of the two does, without them everything. */
export async function openTwoHosts(
  more: Record<string, string> = {},
  roles: readonly string[] = [],
): Promise<TwoHosts> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, poolSize: 5, onError: () => undefined });
  const ports = [await findFreePort(), await findFreePort()];
  const sandboxChild = startChild('packages/sandbox/src/main.ts', {
    SANDBOX_PORT: '0',
    SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${ports[0]}/webhooks/whatsapp/sample`,
  });
  const { port: sandboxPort, mailPort } = (await sandboxChild.ready) as { port: number; mailPort: number };
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const settings = {
    DATABASE_URL: testDatabase.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    SANDBOX_URL: sandboxUrl,
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    LOG_LEVEL: 'error',
    ...more,
  };
  const start = async (host: 0 | 1): Promise<Child> => {
    const child = startChild(
      'apps/server/src/main.ts',
      { ...settings, PORT: String(ports[host]), ...(roles[host] && { ROLES: roles[host] }) },
      /Ready at|is ready/,
    );
    await child.ready;
    return child;
  };
  // The first one makes the sample workspace.
  const hosts = [await start(0), await start(1)];
  const cookie = await signInAsAdmin(`http://127.0.0.1:${ports[0]}`);
  const { rows } = await database.systemPool.query<{ id: string; workspace_id: string }>(
    `SELECT c.id, c.workspace_id FROM channels c JOIN workspaces w ON w.id = c.workspace_id WHERE w.slug = 'sample' ORDER BY c.created_at LIMIT 1`,
  );
  const [channel] = rows;
  if (!channel) throw new Error('The sample workspace has no channel');
  const sample = await database.systemPool.query<{ id: string }>(
    'SELECT id FROM messages WHERE send_no IS NOT NULL',
  );

  const askHost = async (host: number, { method = 'POST', path, body, file, key }: Act): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${ports[host]}${path}`, {
      method,
      headers: {
        cookie,
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(file !== undefined && { 'content-type': 'text/csv' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(file !== undefined && { body: file }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, text, body: isJson && text !== '' ? JSON.parse(text) : null };
  };

  let contacts = 0;
  return {
    database,
    url: settings.PUBLIC_URL,
    workspaceId: channel.workspace_id,
    channelId: channel.id,
    sampleMessages: sample.rows.map(({ id }) => id),
    async kill(host) {
      await hosts[host]?.stop('SIGKILL');
      hosts[host] = await start(host);
    },
    async ask(act) {
      for (let attempt = 0; ; attempt += 1) {
        const answer = await askHost((attempt + (act.host ?? 0)) % 2, act).catch(() => null);
        if (answer && answer.status < 500) return answer;
        if (attempt === TRIES) throw new Error(`${act.path} has no answer: ${answer?.text ?? 'none'}`);
        await pause(100);
      }
    },
    async addContacts(tag, count) {
      const first = (contacts += count) - count + 1;
      const added = await database.systemPool.query<{ id: string }>(
        `INSERT INTO contacts (id, workspace_id, name, phone, tags, window_expires_at)
         SELECT gen_random_uuid(), $1, $2 || ' ' || n, '+49158' || (10000000 + n), ARRAY[$2], now() + interval '9 hours'
           FROM generate_series($3::integer, $4::integer) n RETURNING id`,
        [channel.workspace_id, tag, first, contacts],
      );
      return added.rows.map(({ id }) => id);
    },
    async sandbox<Result>(path: string, body?: unknown) {
      const response = await fetch(`${sandboxUrl}/_sandbox/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      if (!response.ok) throw new Error(`The sandbox refused ${path}: ${await response.text()}`);
      return (await response.json()) as Result; // the caller names what the control answers
    },
    errors: () => hosts.map((host) => host.errors()).join('\n'),
    async close() {
      await Promise.all([...hosts, sandboxChild].map((child) => child.stop('SIGKILL')));
      await database.close();
      await testDatabase.drop();
    },
  };
}

export async function signInAsAdmin(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    body: JSON.stringify({ email: 'admin@example.com', password: 'Welcome123' }),
    headers: { 'content-type': 'application/json' },
  });
  await response.text();
  return response.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ');
}
