import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '@app/database/testing/test-database';
import { part } from '@app/database/testing/thorough';
import { createSandbox } from '@app/sandbox/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { readConfig } from '../src/config.ts';
import { startHost, type Host } from '../src/host.ts';
import { eventually } from './host-fixture.ts';

type Answer = { status: number; text: string; headers: NodeJS.Dict<string | string[]> };

const sandbox = createSandbox();
let sandboxUrl: string;
let databaseUrl: string;
let dropDatabase: () => Promise<void>;
let dataDir: string;
let host: Host;

beforeAll(async () => {
  const database = await createTestDatabase();
  databaseUrl = database.url;
  dropDatabase = () => database.drop();
  dataDir = await mkdtemp(join(tmpdir(), 'reach-'));
  sandboxUrl = (await sandbox.start({ port: 0 })).url;
});
afterAll(async () => {
  await sandbox.close();
  await dropDatabase();
  await rm(dataDir, { recursive: true, force: true });
});
afterEach(() => host.stop());

async function start(env: Record<string, string> = {}): Promise<void> {
  const quiet = { info() {}, warn() {}, error() {} };
  const config = readConfig({
    ...{ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SANDBOX_URL: sandboxUrl, ROLES: 'web' },
    SECRET_KEY: 'a key that only these tests know, long enough',
    ...env,
  });
  host = await startHost(config, quiet);
}

/** `fetch` chooses the Host header itself, so this is plain HTTP. */
function call(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: host.port, path, headers, method: body === undefined ? 'GET' : 'POST' },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const signIn = (headers: Record<string, string> = {}) =>
  call(
    '/api/auth/sign-in/email',
    { ...json, ...headers },
    JSON.stringify({ email: 'admin@example.com', password: 'Welcome123' }),
  );
const cookieOf = ({ headers }: Answer) => (headers['set-cookie'] as string[])[0]!.split(';')[0]!;
const readSession = (cookie: string) => call('/api/session', { cookie });

describe('a sample workspace whose password everybody knows', () => {
  const shop = { PUBLIC_URL: 'https://shop.example' };
  const deliver = (body: string) =>
    call(
      '/webhooks/whatsapp/sample',
      {
        ...json,
        'x-hub-signature-256': `sha256=${createHmac('sha256', 'sandbox-app-secret').update(body).digest('hex')}`,
      },
      body,
    );

  test('is not created where others come, and whoever has an address of that kind is told nothing', async () => {
    await start(shop);
    expect(host.greeting).not.toContain('Welcome123');
    expect(JSON.parse((await call('/api/sign-in-hints')).text)).toMatchObject({ sampleSignIn: null });
    expect((await signIn()).status).toBe(401);
  });

  longTest('is locked as soon as others come, and opens when only this machine is left', async () => {
    await start();
    expect(host.greeting).toContain('admin@example.com / Welcome123');
    const cookie = cookieOf(await signIn());
    expect((await readSession(cookie)).text).toContain('admin@example.com');
    expect((await deliver('{"entry":[]}')).status).toBe(200);
    await host.stop();

    for (const env of [shop, { HOST: '0.0.0.0' }, { ALLOWED_HOSTS: 'shop.example' }]) {
      await start(env);
      expect(host.greeting).not.toContain('Welcome123');
      expect((await call('/api/sign-in-hints')).text).not.toContain('Welcome123');
      const refused = await signIn();
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('sample_locked')]);
      for (const kept of [cookie, `__Secure-${cookie}`]) expect((await readSession(kept)).text).toBe('null');
      expect((await deliver('{"entry":[]}')).status).toBe(401);
      await host.stop();
    }

    await start();
    expect((await readSession(cookie)).text).toContain('admin@example.com');
  });
});

describe('names of the server', () => {
  longTest('others are refused before anything, wherever the request goes', async () => {
    await start();
    const strange = { host: 'attacker.example', origin: 'http://attacker.example' };
    for (const path of ['/', '/login', '/api/session', '/api/openapi.json', '/webhooks/whatsapp/sample']) {
      const { status, text } = await call(path, strange);
      expect([path, status, JSON.parse(text)]).toMatchObject([
        path,
        421,
        { error: { code: 'host_unknown' } },
      ]);
    }
    expect((await signIn(strange)).status).toBe(421);
    const absolute = await call('http://attacker.example/api/session', { host: 'localhost' });
    expect(absolute.status).toBe(421);
    for (const odd of [
      'localhost.attacker.example',
      '127.0.0.1.attacker.example',
      '203.0.113.5',
      'a@localhost',
    ])
      expect([odd, (await call('/api/session', { host: odd })).status]).toEqual([
        odd,
        expect.toSatisfy((status: number) => status === 421 || status === 400),
      ]);
  });

  test('of loopback are known on every port, as are PUBLIC_URL and ALLOWED_HOSTS', async () => {
    await start({ PUBLIC_URL: 'https://shop.example:8443', ALLOWED_HOSTS: 'panel.example, 192.0.2.44:8080' });
    const known = ['localhost', 'localhost:5173', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST'];
    for (const name of [...known, 'shop.example', 'SHOP.example:8443', 'panel.example:81', '192.0.2.44'])
      expect([name, (await call('/api/session', { host: name })).status]).toEqual([name, 200]);
  });

  test('do not matter to a probe', async () => {
    await start();
    for (const path of ['/healthz', '/readyz'])
      expect((await call(path, { host: '203.0.113.5:3000' })).status).toBe(200);
  });
});

describe('every answer', () => {
  const paths = [
    '/healthz',
    '/api/session',
    '/api/nothing',
    '/api/openapi.json',
    '/webhooks/whatsapp/nobody',
  ];

  longTest('is taken for what it says it is, and under https keeps browsers there', async () => {
    await start({ PUBLIC_URL: 'https://shop.example' });
    for (const answer of [...(await Promise.all(paths.map((path) => call(path)))), await signIn()])
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000',
      });
  });

  test('says nothing of https without it', async () => {
    await start();
    const { headers } = await call('/api/session');
    expect([headers['x-content-type-options'], headers['strict-transport-security']]).toEqual([
      'nosniff',
      undefined,
    ]);
  });
});

describe('figures for an operator', () => {
  const TOKEN = 'a token of the operator';

  test.each([
    ['/metrics/jobs', { failed: [] }, { restarted: 0 }],
    ['/metrics/facts', { deadLetters: [] }, { handled: 0, left: 0 }],
  ])('are followed by what failed for good in the background: %s', async (path, none, answer) => {
    await start();
    const here = await call(path);
    expect([here.status, JSON.parse(here.text)]).toEqual([200, none]);
    for (const from of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await call(path, from, '')).status).toBe(403);
    const again = await call(path, {}, '');
    expect([again.status, JSON.parse(again.text)]).toEqual([200, answer]);
  });

  test('the start handles facts that an earlier version could not, where later ones wait for them', async () => {
    await start();
    const fact = {
      ...{ id: 1, type: 'contact.created', version: 1, subjectKind: 'contact', subject: crypto.randomUUID() },
      ...{ actor: { kind: 'system', name: 'upkeep' }, values: { name: 'Ann' }, depth: 0 },
      occurredAt: new Date().toISOString(),
    };
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(
        `INSERT INTO fact_dead_letters (consumer, event_id, workspace_id, type, subject_kind, subject_id, fact, error, tries)
         SELECT 'outgoing-webhooks', n, id, $1::jsonb->>'type', 'contact', ($1::jsonb->>'subject')::uuid,
                $1::jsonb || jsonb_build_object('id', n, 'workspaceId', id), CASE n WHEN 1 THEN 'TypeError' END, 2 - n
           FROM workspaces, generate_series(1, 2) AS n LIMIT 2`,
        [JSON.stringify(fact)],
      );
    } finally {
      await client.end();
    }
    const listed = async () => JSON.parse((await call('/metrics/facts')).text).deadLetters.length;
    expect(await listed()).toBe(2);
    await host.stop();
    await start();
    await expect.poll(listed).toBe(0);
  });

  test('count requests, webhooks, messages and what waits', async () => {
    await start();
    await call('/api/session');
    await call('/webhooks/whatsapp/nobody', json, '{}');
    const { status, text, headers } = await call('/metrics');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    for (const line of [
      'http_requests_total{route="api",status="200"} 1',
      'messaging_webhooks_total{outcome="refused"} 1',
      'messaging_database_up 1',
      'messaging_queue_recipients 0',
      'messaging_jobs{job="enquiry-mail",state="waiting"} 0',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).toMatch(/^messaging_messages_total\{outcome="delivered"\} \d+$/m);
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[\w-]+"(,\w+="[\w-]+")*\})? [\d.]+)$/);
  });

  test('are for this machine alone, or for whoever brings the token', async () => {
    await start();
    for (const from of [{ host: 'shop.example' }, { 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=_' }])
      expect((await call('/metrics', from)).status).toBe(404);
    await host.stop();
    // A proxy on this machine may add no header at all.
    for (const env of [{ TRUST_PROXY: '1' }, { PUBLIC_URL: 'https://shop.example' }]) {
      await start(env);
      expect((await call('/metrics')).status).toBe(404);
      await host.stop();
    }
    await start({ METRICS_TOKEN: TOKEN });
    expect((await call('/metrics')).status).toBe(404);
    expect((await call('/metrics', { authorization: 'Bearer wrong' })).status).toBe(404);
    const scraper = { host: '203.0.113.5:3000', authorization: `Bearer ${TOKEN}` };
    expect((await call('/metrics', scraper)).status).toBe(200);
  });
});

describe('a stranger who sends without an end', () => {
  const MEGABYTE = 1024 * 1024;
  /** Sends up to 300 MB in chunks and tells what had left when the answer came. */
  const pour = (path: string) =>
    new Promise<{ status: number; megabytes: number }>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: host.port, path, method: 'POST', headers: json });
      const piece = Buffer.alloc(MEGABYTE, ' ');
      let written = 0;
      const write = () => {
        while (written < 300 && !sent.destroyed) {
          written += 1;
          if (!sent.write(piece)) return void sent.once('drain', write);
        }
        sent.end();
      };
      sent.once('response', (response) => {
        resolve({ status: response.statusCode ?? 0, megabytes: written });
        sent.destroy();
      });
      sent.on('error', reject);
      write();
    });

  const early: [string, number][] = [
    ['/api/auth/sign-in/email', 413],
    ['/api/sales-enquiries', 413],
    ['/api/rpc/landing/sendEnquiry', 413],
    ['/api/rpc/contacts/create', 401],
    ['/api/contacts/imports', 401],
    ['/webhooks/whatsapp/sample', 401],
  ];
  test.each(part(early, 3))('is refused early at %s', async (path, status) => {
    await start();
    const answer = await pour(path);
    expect(answer.status).toBe(status);
    expect(answer.megabytes).toBeLessThan(40);
  });
});

longDescribe('the address of a caller', () => {
  test.each([
    ['0', '127.0.0.1'],
    ['1', '198.51.100.7'],
    ['2', '203.0.113.9'],
  ])('behind %s trusted proxies', async (proxies, expected) => {
    await start({ TRUST_PROXY: proxies });
    const cookie = cookieOf(await signIn({ 'x-forwarded-for': '10.9.9.9, 203.0.113.9, 198.51.100.7' }));
    const address = await eventually(
      async () => {
        const { items } = JSON.parse((await call('/api/activities?limit=1', { cookie })).text);
        return items[0]?.ipAddress as string | undefined;
      },
      (found) => found === expected,
      3_000,
    );
    expect(address).toBe(expected);
  });
});
