import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readRetryAfter, type CallOutcome, type OutgoingCall } from '@app/domain/network/outgoing-calls';
import {
  createOutgoingCalls,
  type CallLog,
  type OutgoingCallsOptions,
} from '../../src/calls/outgoing-calls.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const { close } of opened.reverse()) await close();
});

/** A service on this machine that answers as the test says, and knows what it was asked. */
async function openService(answer: Answer) {
  const requests: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  const { port } = server.address() as AddressInfo;
  return { requests, port, url: `http://127.0.0.1:${port}` };
}

let lines: Parameters<CallLog>[0][];
let pauses: number[];
beforeEach(() => {
  lines = [];
  pauses = [];
});

function open(options: OutgoingCallsOptions = {}) {
  const calls = createOutgoingCalls({
    namedHosts: ['127.0.0.1'],
    log: (line) => lines.push(line),
    pause: async (ms) => void pauses.push(ms),
    random: () => 1,
    ...options,
  });
  opened.push(calls);
  return (call: Omit<OutgoingCall, 'service'>): Promise<CallOutcome> =>
    calls.call({ service: 'a service', ...call });
}

test('a call brings method, headers and body, and gives back status, headers and body', async () => {
  const { requests, url } = await openService((_, response) =>
    response.writeHead(201, { 'x-id': '7' }).end('{"made":true}'),
  );
  const outcome = await open()({
    ...{ method: 'POST', url: `${url}/things?a=1`, body: '{"name":"x"}' },
    headers: { 'Content-Type': 'application/json' },
  });
  expect(outcome).toMatchObject({
    ...{ outcome: 'ok', attempts: 1 },
    response: { status: 201, isComplete: true, headers: { 'x-id': '7' } },
  });
  expect(outcome.outcome === 'ok' && outcome.response.json()).toEqual({ made: true });
  expect(requests).toMatchObject([
    {
      method: 'POST',
      url: '/things?a=1',
      body: '{"name":"x"}',
      headers: { 'content-type': 'application/json' },
    },
  ]);
});

test.each([404, 401, 500, 302])('a status %i is rejected, with what the service says', async (status) => {
  const { url } = await openService((_, response) => response.writeHead(status).end('why'));
  const outcome = await open()({ url });
  expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'status', response: { status } });
  expect(outcome.outcome === 'rejected' && outcome.response.text()).toBe('why');
});

describe('private addresses are refused before anything is sent', () => {
  test.each([
    ...['http://127.0.0.1', 'http://[::1]', 'http://localhost', 'http://2130706433', 'http://0x7f.1'],
    ...[
      'http://169.254.169.254/latest',
      'http://10.0.0.1',
      'http://[::ffff:10.0.0.1]',
      'http://metadata.internal',
    ],
  ])('%s', async (address) => {
    const service = await openService((_, response) => response.end());
    const url = new URL(address);
    url.port = String(service.port);
    const outcome = await open({ namedHosts: [] })({ method: 'POST', url: url.href });
    expect(outcome).toMatchObject({ outcome: 'not_sent', reason: 'address_refused' });
    expect(service.requests).toEqual([]);
  });

  test('a host is named with its port, and only that port is reached', async () => {
    const [named, other] = [
      await openService((_, response) => response.end()),
      await openService((_, response) => response.end()),
    ];
    const call = open({ namedHosts: [`127.0.0.1:${named.port}`] });
    expect(await call({ url: named.url })).toMatchObject({ outcome: 'ok' });
    expect(await call({ url: other.url })).toMatchObject({ outcome: 'not_sent', reason: 'address_refused' });
    expect(other.requests).toEqual([]);
  });

  test.each([
    'ftp://example.com',
    'http://user:pass@example.com',
    'no address',
    '',
    `http://a.test/${'x'.repeat(5000)}`,
  ])('and %s is no address', async (url) => {
    expect(await open()({ url })).toMatchObject({ outcome: 'not_sent', reason: 'invalid_address' });
  });
});

test.each(['host', 'Content-Length', 'transfer-encoding', 'bad name', 'x-line'])(
  'the header %s cannot be set or broken out of',
  async (name) => {
    const { requests, url } = await openService((_, response) => response.end());
    const outcome = await open()({ url, headers: { [name]: 'a\r\nx-more: b' } });
    expect(outcome).toMatchObject({ outcome: 'not_sent', reason: 'invalid_request' });
    expect(requests).toEqual([]);
  },
);

test('nobody listening is not sent; a connection that ends behind the request is unknown', async () => {
  const { url } = await openService((request) => request.socket.destroy());
  const call = open();
  expect(await call({ url, method: 'POST' })).toMatchObject({
    outcome: 'unknown',
    reason: 'connection_lost',
  });
  expect(await call({ url: 'http://127.0.0.1:1' })).toMatchObject({
    ...{ outcome: 'not_sent', reason: 'connect_refused' },
  });
});

test('a service that never answers is unknown when the time is up', async () => {
  const { url } = await openService(() => {});
  expect(await open()({ url, timeoutMs: 50 })).toMatchObject({
    ...{ outcome: 'unknown', reason: 'response_timeout', attempts: 1 },
  });
});

test('a response that trickles without end keeps its status and what came in time', async () => {
  const { url } = await openService((_, response) => {
    response.writeHead(200).write('first');
    const drip = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(drip));
  });
  const outcome = await open()({ url, timeoutMs: 200 });
  expect(outcome).toMatchObject({ outcome: 'ok', response: { status: 200, isComplete: false } });
  expect(outcome.outcome === 'ok' && outcome.response.text()).toMatch(/^first/);
  expect(outcome.outcome === 'ok' && outcome.response.json()).toBeUndefined();
});

test('a response of 50 MB is cut off and the rest is never sent', async () => {
  let sent = 0;
  const part = Buffer.alloc(64 * 1024, 'x');
  let ended: () => void = () => {};
  const closed = new Promise<void>((resolve) => (ended = resolve));
  const { url } = await openService((_, response) => {
    const more = () => {
      while (sent < 50 * 1024 * 1024) {
        sent += part.length;
        if (!response.write(part)) return void response.once('drain', more);
      }
      response.end();
    };
    response.on('close', ended);
    more();
  });
  const outcome = await open()({ url, largestResponse: 10_000 });
  expect(outcome).toMatchObject({ outcome: 'ok', response: { isComplete: false } });
  expect(outcome.outcome === 'ok' && outcome.response.body.byteLength).toBe(10_000);
  await closed;
  expect(sent).toBeLessThan(50 * 1024 * 1024);
});

describe('redirects', () => {
  test('are followed only as often as the caller asks', async () => {
    const { requests, url } = await openService((request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );
    const call = open();
    expect(await call({ url: `${url}/` })).toMatchObject({ outcome: 'rejected', reason: 'status' });
    expect(requests).toHaveLength(1);
    expect(await call({ url: `${url}/`, redirects: 3 })).toMatchObject({ reason: 'too_many_redirects' });
    expect(requests).toHaveLength(5);
  });

  test('to a private address are refused', async () => {
    const inside = await openService((_, response) => response.end('secret'));
    const { port, url } = await openService((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    const call = open({ namedHosts: [`127.0.0.1:${port}`] });
    expect(await call({ url, redirects: 5 })).toMatchObject({
      outcome: 'rejected',
      reason: 'redirect_refused',
    });
    expect(inside.requests).toEqual([]);
  });

  test('take no credential and no body to another origin', async () => {
    const other = await openService((_, response) => response.end('there'));
    const { url } = await openService((request, response) =>
      response
        .writeHead(request.url === '/keep' ? 307 : 303, { location: `http://127.0.0.1:${other.port}/` })
        .end(),
    );
    const call = open();
    const secret = {
      method: 'POST',
      headers: { authorization: 'secret', accept: 'text/plain' },
      body: 'b',
    } as const;
    expect(await call({ ...secret, url: `${url}/see`, redirects: 1 })).toMatchObject({ outcome: 'ok' });
    expect(other.requests).toMatchObject([{ method: 'GET', body: '', headers: { accept: 'text/plain' } }]);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(await call({ ...secret, url: `${url}/keep`, redirects: 1 })).toMatchObject({
      reason: 'redirect_refused',
    });
  });
});

describe('another attempt', () => {
  const afterOne = (status: number, headers: Record<string, string> = {}) => {
    let count = 0;
    return openService((_, response) => {
      count += 1;
      if (count === 1) response.writeHead(status, headers).end();
      else response.end('ok');
    });
  };

  test('waits as long as the service asks', async () => {
    const { requests, url } = await afterOne(429, { 'retry-after': '7' });
    const outcome = await open()({ url, method: 'POST', retry: { attempts: 3 } });
    expect(outcome).toMatchObject({ outcome: 'ok', attempts: 2 });
    expect(requests).toHaveLength(2);
    expect(pauses[0]).toBe(7_000);
  });

  test('is left to the caller when the service asks for longer than it can wait', async () => {
    const { requests, url } = await afterOne(503, { 'retry-after': '60' });
    const outcome = await open()({ url, retry: { attempts: 3, longestPauseMs: 5_000 } });
    expect(outcome).toMatchObject({ outcome: 'rejected', retryAfterMs: 60_000, attempts: 1 });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['GET', undefined, 2],
    ['POST', undefined, 1],
    ['POST', true, 2],
    ['PATCH', undefined, 1],
    ['PUT', false, 1],
  ] as const)('after a 500 to %s with mayRepeat %s: %i requests', async (method, mayRepeat, expected) => {
    const { requests, url } = await afterOne(500);
    await open()({ url, method, retry: { attempts: 2, ...(mayRepeat !== undefined && { mayRepeat }) } });
    expect(requests).toHaveLength(expected);
  });

  test.each([
    ['POST', 1],
    ['GET', 2],
  ] as const)('after a lost connection to %s: %i requests', async (method, expected) => {
    const { requests, url } = await openService((request) => request.socket.destroy());
    expect(await open()({ url, method, retry: { attempts: 2 } })).toMatchObject({ outcome: 'unknown' });
    expect(requests).toHaveLength(expected);
  });

  test('doubles its pause', async () => {
    await open()({ url: 'http://127.0.0.1:1', method: 'POST', retry: { attempts: 4 } });
    expect(pauses).toEqual([500, 1_000, 2_000]);
  });
});

describe('the limits of a service', () => {
  test('space calls, and a call that would wait too long is not sent', async () => {
    const { requests, url } = await openService((_, response) => response.end());
    const call = open({ now: () => new Date(0) });
    const limit = { perSecond: 2 };
    await Promise.all([1, 2, 3].map(() => call({ url, limit })));
    expect(pauses).toEqual([500, 1_000]);
    expect(await call({ url, limit, retry: { attempts: 1, longestPauseMs: 1_000 } })).toMatchObject({
      ...{ outcome: 'not_sent', reason: 'rate_limited', retryAfterMs: 1_500 },
    });
    expect(requests).toHaveLength(3);
  });

  test('hold back every other call of a service that asked for a pause', async () => {
    let isBusy = true;
    const { url } = await openService((_, response) =>
      isBusy ? response.writeHead(429, { 'retry-after': '30' }).end() : response.end(),
    );
    const call = open({ now: () => new Date(0) });
    await call({ url });
    isBusy = false;
    expect(await call({ url })).toMatchObject({ reason: 'rate_limited', retryAfterMs: 30_000 });
    expect(await open()({ url })).toMatchObject({ outcome: 'ok' });
  });

  test('let only so many in at once, and give a place to the next', async () => {
    let inside = 0;
    let most = 0;
    const { url } = await openService((_, response) => {
      inside += 1;
      most = Math.max(most, inside);
      setTimeout(() => {
        inside -= 1;
        response.end();
      }, 10);
    });
    const call = open();
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => call({ url, limit: { atOnce: 2 } })));
    expect(outcomes.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(most).toBe(2);
  });
});

test('a call that is given up is not sent before its turn, and unknown behind it', async () => {
  let reached: () => void = () => {};
  const isThere = new Promise<void>((resolve) => (reached = resolve));
  const { requests, url } = await openService(() => reached());
  const call = open();
  expect(await call({ url, signal: AbortSignal.abort() })).toMatchObject({
    outcome: 'not_sent',
    reason: 'cancelled',
  });
  expect(requests).toHaveLength(0);
  const giveUp = new AbortController();
  const going = call({ url, signal: giveUp.signal });
  await isThere;
  giveUp.abort();
  expect(await going).toMatchObject({ outcome: 'unknown', reason: 'cancelled' });
});

test('a line of the log has no path, query, header or body', async () => {
  const { url } = await openService((_, response) => response.end('answer-secret'));
  await open()({
    ...{ method: 'POST', url: `${url}/path-secret?key=query-secret`, body: 'body-secret' },
    headers: { authorization: 'header-secret' },
  });
  expect(lines).toMatchObject([
    { service: 'a service', origin: url, method: 'POST', outcome: 'ok', status: 200 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test.each([
  ['120', 120_000],
  ['Fri, 27 Nov 2026 10:00:30 GMT', 30_000],
  ['Fri, 27 Nov 2026 09:00:00 GMT', 0],
  ['99999999', 24 * 3_600_000],
  ['soon', null],
  [undefined, null],
] as const)('Retry-After %s is %s ms', (value, expected) => {
  expect(readRetryAfter(value, new Date('2026-11-27T10:00:00Z'))).toBe(expected);
});
