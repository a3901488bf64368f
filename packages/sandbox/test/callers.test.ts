import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../src/sandbox.ts';
import { number, startSandbox, type StartedSandbox } from './started-sandbox.ts';

let started: StartedSandbox;
let port: number;
beforeAll(async () => {
  started = await startSandbox();
  port = Number(new URL(started.url).port);
});
afterAll(() => started.close());

interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}

/** Headers that `fetch` would not let a test set. */
function ask({ method = 'GET', path = '/', headers = {} }: Call, at = port): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: at, method, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject).end();
  });
}

const guarded = [
  ['GET', '/'],
  ['GET', '/page.js'],
  ['GET', '/_sandbox/mail'],
  ['DELETE', '/_sandbox/mail'],
  ['GET', '/_sandbox/page/state'],
  ['POST', '/_sandbox/reset'],
  ['GET', `/graph/v26.0/${number}?access_token=sandbox-access-token`],
] as const;

test.each(guarded)('%s %s is not answered under a name of somebody else', async (method, path) => {
  for (const host of [`evil.example:${port}`, 'evil.example', `127.0.0.1.nip.io:${port}`, 'localhost:1']) {
    expect([host, await ask({ method, path, headers: { host } })]).toEqual([host, 421]);
  }
});

test('answers under the names of this machine', async () => {
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
    expect([host, await ask({ headers: { host } })]).toEqual([host, 200]);
});

test('answers under names that it was given, and on every address when it listens on all', async () => {
  const named: Sandbox = createSandbox();
  const { port: at } = await named.start({ port: 0, host: '0.0.0.0', names: ['sandbox.test'] });
  expect(await ask({ headers: { host: `sandbox.test:${at}` } }, at)).toBe(200);
  expect(await ask({ headers: { host: 'sandbox.test' } }, at)).toBe(200);
  expect(await ask({ headers: { host: `127.0.0.1:${at}` } }, at)).toBe(200);
  expect(await ask({ headers: { host: `10.9.8.7:${at}` } }, at)).toBe(421);
  await named.close();
});

test.each(guarded)('%s %s is not answered to a page of another site', async (method, path) => {
  const from = (headers: Record<string, string>) => ask({ method, path, headers });
  expect(await from({ origin: 'http://evil.example' })).toBe(403);
  expect(await from({ origin: 'null' })).toBe(403);
  expect(await from({ origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
  for (const site of ['cross-site', 'same-site'])
    expect(
      await from({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }),
    ).toBe(403);
});

test('a send of another site is refused on the quick way too', async () => {
  const headers = {
    authorization: 'Bearer sandbox-access-token',
    'content-type': 'application/json',
    origin: 'http://evil.example',
  };
  expect(await ask({ method: 'POST', path: `/graph/v26.0/${number}/messages`, headers })).toBe(403);
});

test('its own page, and a link to it, are answered', async () => {
  const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
  expect(await ask({ method: 'POST', path: '/_sandbox/reset', headers: own })).toBe(200);
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect(await ask({ headers: link })).toBe(200);
  expect(await ask({ headers: { ...link, 'sec-fetch-dest': 'iframe' } })).toBe(403);
  const page = await fetch(started.url);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

/** Sends pieces without a declared length until the sandbox answers or closes; says how much it took. */
function pour(path: string, headers: Record<string, string>): Promise<{ status: number; megabytes: number }> {
  return new Promise((resolve) => {
    let written = 0;
    let status = 0;
    const piece = Buffer.alloc(256 * 1024, 'a');
    const call = request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
      status = response.statusCode ?? 0;
      response.resume();
      call.destroy();
    });
    call.on('error', () => {});
    call.on('close', () => resolve({ status, megabytes: written / 1024 / 1024 }));
    const write = () => {
      while (!call.destroyed && written < 300 * 1024 * 1024) {
        written += piece.length;
        if (!call.write(piece)) return void call.once('drain', write);
      }
      if (!call.destroyed) call.end();
    };
    write();
  });
}

const bearer = { authorization: 'Bearer sandbox-access-token' };
const json = { ...bearer, 'content-type': 'application/json' };

test.each([
  ['a message', `/graph/v26.0/${number}/messages`, json],
  [
    'a message as a form',
    `/graph/v26.0/${number}/messages`,
    { ...bearer, 'content-type': 'application/x-www-form-urlencoded' },
  ],
  ['a template', '/graph/v26.0/100000000000001/message_templates', json],
  ['a call without token', `/graph/${number}/register`, { 'content-type': 'application/json' }],
  ['a control', '/_sandbox/whatsapp/behaviour', {}],
])('%s without an end is refused while it is read', async (_name, path, headers) => {
  const { status, megabytes } = await pour(path, headers);
  expect(status).toBe(413);
  expect(megabytes).toBeLessThan(40);
});

test('a body that says how long it is is refused before it is read', async () => {
  const headers = { ...json, 'content-length': String(200 * 1024 * 1024) };
  const { status, megabytes } = await pour(`/graph/v26.0/${number}/settings`, headers);
  expect([status, megabytes < 40]).toEqual([413, true]);
});

test('a body in pieces that ends in time is read', async () => {
  const call = async (method: string, path: string, text: string, headers: Record<string, string>) => {
    const body = new ReadableStream({
      start(stream) {
        for (const letter of text) stream.enqueue(Buffer.from(letter));
        stream.close();
      },
    });
    const response = await fetch(started.url + path, {
      method,
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    return [response.status, await response.json()];
  };
  const users = JSON.stringify({ messaging_product: 'whatsapp', block_users: [{ user: '+447700900201' }] });
  for (const [method, done] of [
    ['POST', 'added_users'],
    ['DELETE', 'removed_users'],
  ] as const)
    expect(await call(method, `/graph/v26.0/${number}/block_users`, users, json)).toMatchObject([
      200,
      { block_users: { [done]: [{ wa_id: '447700900201' }] } },
    ]);
  const form = { ...bearer, 'content-type': 'multipart/form-data; boundary=b' };
  const parts = '--b\r\ncontent-disposition: form-data; name="code_method"\r\n\r\nSMS\r\n--b--\r\n';
  expect(await call('POST', `/graph/v26.0/${number}/request_code`, parts, form)).toMatchObject([
    400,
    { error: { code: 136024 } },
  ]);
});
