import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ChannelKind } from '@app/domain/channels/channel-kind';
import { createTestDatabase } from '@app/database/testing/test-database';
import { createSandbox } from '@app/sandbox/sandbox';
import { readConfig } from '../src/config.ts';
import { startHost } from '../src/host.ts';

export const SECRET_KEY = 'a key that only these tests know, long enough';
export type HostFixture = {
  url: string;
  sandboxUrl: string;
  /** System scope, to see what was stored. */
  database: pg.Pool;
  workspaceId: string;
  /** Of the administrator, for what is no call. */
  cookie: string;
  /** What the product warned of so far. */
  warnings: string[];
  /** `fetch` with the cookies of the sample administrator; a body is sent as JSON. */
  call<Answer>(
    method: string,
    path: string,
    body?: unknown,
    /** Each call is an act of its own, unless the test says otherwise. */
    idempotencyKey?: string,
  ): Promise<{ status: number; body: Answer }>;
  sandbox<Answer>(path: string, body?: unknown): Promise<Answer>;
  /** Delivers a webhook as the platform would; `secret` signs it. */
  deliver(body: unknown, options?: { secret?: string | null }): Promise<number>;
  close(): Promise<void>;
};

/** The whole product and the sandbox in this process, over real HTTP and a real database. */
export async function openHostFixture(kinds?: readonly ChannelKind[]): Promise<HostFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), 'host-'));
  const testDatabase = await createTestDatabase();
  const sandbox = createSandbox({
    behaviour: {
      statusDelayMs: 20,
      reviewDelayMs: 0,
      latencyMs: 0,
      throughputMps: 0,
      deliveredRate: 1,
      readRate: 0.5,
    },
  });
  const sandboxServer = await sandbox.start({ port: 0 });
  const warnings: string[] = [];
  const host = await startHost(
    readConfig({
      PORT: '0',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      DATA_DIR: dataDir,
      DATABASE_URL: testDatabase.url,
      SECRET_KEY,
      SANDBOX_URL: sandboxServer.url,
    }),
    {
      info() {},
      warn: (_, message) => void warnings.push(message),
      error: (fields: object, message: string) => console.error(message, fields),
    },
    kinds,
  );
  const url = `http://127.0.0.1:${host.port}`;
  const database = new pg.Pool({
    connectionString: testDatabase.url,
    max: 3,
    options: '-c app.scope=system',
  });
  // Closing connections may hear that their database is dropped.
  database.on('error', () => undefined);
  database.on('connect', (client) => client.on('error', () => undefined));
  const post = async (address: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const sandboxCall = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const response = await (body === undefined
      ? fetch(`${sandboxServer.url}${path}`)
      : post(`${sandboxServer.url}${path}`, body));
    return (await response.json()) as Answer; // the caller names what the control answers
  };
  await sandboxCall('/_sandbox/whatsapp/webhook', { callbackUrl: `${url}/webhooks/whatsapp/sample` });
  const signIn = await post(`${url}/api/auth/sign-in/email`, {
    email: 'admin@example.com',
    password: 'Welcome123',
  });
  const cookie = signIn.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ');
  const { rows } = await database.query(`SELECT id FROM workspaces WHERE slug = 'sample'`);
  return {
    url,
    sandboxUrl: sandboxServer.url,
    database,
    workspaceId: rows[0].id,
    cookie,
    warnings,
    async call(method, path, body, idempotencyKey = crypto.randomUUID()) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          cookie,
          'idempotency-key': idempotencyKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text ? JSON.parse(text) : null };
    },
    sandbox: sandboxCall,
    async deliver(body, { secret = 'sandbox-app-secret' } = {}) {
      const raw = typeof body === 'string' ? body : JSON.stringify(body);
      const signature =
        secret === null ? null : `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;
      const response = await fetch(`${url}/webhooks/whatsapp/sample`, {
        method: 'POST',
        body: raw,
        headers: {
          'content-type': 'application/json',
          ...(signature && { 'x-hub-signature-256': signature }),
        },
      });
      await response.text();
      return response.status;
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

/** Waits until `check` holds, looking every 50 ms; throws what it last saw after `limitMs`. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  check: (value: Value) => boolean,
  limitMs = 420_000,
): Promise<Value> {
  const until = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (check(value)) return value;
    if (Date.now() > until) throw new Error(`It did not come to pass; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A `messages` webhook in the platform's wrapper. */
export function wrapValue(value: Record<string, unknown>, phoneNumberId = '200000000000001') {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100000000000001',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '447700900100', phone_number_id: phoneNumberId },
              ...value,
            },
          },
        ],
      },
    ],
  };
}

export function inboundText(from: string, id: string, text: string, at = Math.floor(Date.now() / 1000)) {
  return wrapValue({
    contacts: [{ profile: { name: `Person ${from}` }, wa_id: from, user_id: `GB.${from}` }],
    messages: [
      { from, from_user_id: `GB.${from}`, id, timestamp: String(at), type: 'text', text: { body: text } },
    ],
  });
}
