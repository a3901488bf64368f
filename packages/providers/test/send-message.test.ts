import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutboundMessage } from '@app/domain/messaging/channel-port';
import {
  createWhatsAppCloudClient,
  type WhatsAppCloudClient,
  type WhatsAppCloudOptions,
} from '../src/whatsapp-cloud/whatsapp-cloud-client.ts';
import { type Answer, type FaultyServer, graphError, json, startFaultyServer } from './faulty-server.ts';

const message: OutboundMessage = {
  to: '+447700900201',
  tag: 'campaign-1:17:1',
  content: { type: 'text', body: 'Hello "Ann"' },
};
const acceptance = { messaging_product: 'whatsapp', messages: [{ id: 'wamid.1' }] };

let server: FaultyServer;
const clients: WhatsAppCloudClient[] = [];

function connect(options: Partial<WhatsAppCloudOptions> = {}): WhatsAppCloudClient {
  const client = createWhatsAppCloudClient({
    baseUrl: `${server.origin}/graph/v26.0`,
    accessToken: 'secret-token',
    phoneNumberId: '200000000000001',
    businessAccountId: '100000000000001',
    appId: '300000000000001',
    ...options,
  });
  clients.push(client);
  return client;
}

beforeAll(async () => {
  server = await startFaultyServer();
});
afterEach(async () => {
  server.received.length = 0;
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => server.close());

it('watches all open calls with one timer', async () => {
  const client = connect({ connections: 40, timeouts: { headersMs: 600 } });
  server.answerWith(() => undefined);
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  await client.send(message);
  const before = timers();
  const results = Array.from({ length: 40 }, () => client.send(message));
  await expect.poll(() => server.received.length).toBe(41);
  expect(timers() - before).toBeLessThan(10);
  expect((await Promise.all(results)).every(({ outcome }) => outcome === 'unknown')).toBe(true);
});

describe('an accepted message', () => {
  it('goes out once, with recipient, tag and token in place', async () => {
    server.answerWith(json(200, acceptance));
    expect(await connect().send(message)).toEqual({ outcome: 'accepted', providerMessageId: 'wamid.1' });
    const [request] = server.received;
    expect(request?.url).toBe('/graph/v26.0/200000000000001/messages');
    expect(request?.headers.authorization).toBe('Bearer secret-token');
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+447700900201',
      biz_opaque_callback_data: 'campaign-1:17:1',
      type: 'text',
      text: { body: 'Hello "Ann"' },
    });
  });

  it.each([
    ['held_for_quality_assessment', 'held_for_quality'],
    ['paused', 'paused'],
    ['accepted', undefined],
  ])('carries the hold %s', async (status, hold) => {
    server.answerWith(json(200, { messages: [{ id: 'wamid.1', message_status: status }] }));
    const result = await connect().send(message);
    expect(result).toEqual({
      outcome: 'accepted',
      providerMessageId: 'wamid.1',
      ...(hold !== undefined && { hold }),
    });
  });
});

describe('a refusal', () => {
  const stop = { kind: 'stop_channel', blocks: 'everything' };
  it.each<[string, Answer, string, object]>([
    ['429 with 130429', graphError(429, 130429), '130429', { kind: 'lower_rate' }],
    ['400 with 130429', graphError(400, 130429), '130429', { kind: 'lower_rate' }],
    ['400 with 131056', graphError(400, 131056), '131056', { kind: 'retry_pair', baseSeconds: 4 }],
    ['401 with 190', graphError(401, 190, { error_subcode: 463 }), '190', stop],
    ['403 with 299', graphError(403, 299), '299', stop],
    [
      '500 with 131000',
      graphError(500, 131000),
      '131000',
      { kind: 'retry', maxAttempts: 3, pauses: 'recipient' },
    ],
    [
      '503 with 131016',
      graphError(503, 131016, { is_transient: true }),
      '131016',
      { kind: 'retry', maxAttempts: 10, pauses: 'recipient' },
    ],
    ['400 with an unlisted code', graphError(400, 999999), '999999', { kind: 'fail' }],
    [
      '429 with an unlisted code',
      graphError(429, 999999, { is_transient: true }),
      '999999',
      { kind: 'lower_rate' },
    ],
    [
      '429 without an envelope',
      (_q, r) => r.writeHead(429).end('slow down'),
      'http_429',
      { kind: 'lower_rate' },
    ],
    ['401 in HTML', (_q, r) => r.writeHead(401).end('<html>'), 'http_401', stop],
    ['413 in HTML', (_q, r) => r.writeHead(413).end('<html>'), 'http_413', { kind: 'fail' }],
  ])('is read from %s', async (_case, answer, code, action) => {
    server.answerWith(answer);
    expect(await connect().send(message)).toMatchObject({ outcome: 'refused', error: { code }, action });
  });

  it('shows neither token nor number', async () => {
    server.answerWith(
      graphError(400, 100, {
        error_data: `Token EAAGm0PX4ZCpsBAKZCzabcdefghij cannot write to +44 7700 900201 (447700900201)`,
      }),
    );
    const result = await connect().send(message);
    expect(JSON.stringify(result)).not.toMatch(/EAAG|7700/);
    expect(result).toMatchObject({ error: { details: 'Token [token] cannot write to [number] ([number])' } });
  });
});

describe('an unknown outcome', () => {
  it.each<[string, Answer, string]>([
    ['a closed connection without an answer', (_q, r) => r.destroy(), 'connection_lost'],
    [
      'a reset in the middle of the headers',
      (_q, r) => void r.socket?.end('HTTP/1.1 200 OK\r\nConte'),
      'connection_lost',
    ],
    [
      'a reset in the middle of the body',
      (_q, r) => {
        r.writeHead(200, { 'content-length': '1000' });
        r.write('{"messages":', () => r.destroy());
      },
      'connection_lost',
    ],
    [
      'bytes that are no HTTP',
      (_q, r) => void r.socket?.end('SSH-2.0-OpenSSH\r\n\r\n'),
      'response_unreadable',
    ],
    ['200 with garbage', (_q, r) => r.end('<html>ok</html>'), 'response_unreadable'],
    ['200 with nothing', (_q, r) => r.end(), 'response_unreadable'],
    ['200 without an id', json(200, { messages: [{}] }), 'response_unreadable'],
    ['a redirect', (_q, r) => r.writeHead(302, { location: '/' }).end(), 'response_unreadable'],
    ['408', (_q, r) => r.writeHead(408).end(), 'response_unreadable'],
    ['500 in HTML', (_q, r) => r.writeHead(500).end('<html>'), 'server_error'],
    ['502 with nothing', (_q, r) => r.writeHead(502).end(), 'server_error'],
    ['500 with an unlisted code', graphError(500, 999999), 'server_error'],
    ['500 with the catch-all code', graphError(500, 1), 'server_error'],
    [
      '400, transient, with an unlisted code',
      graphError(400, 999999, { is_transient: true }),
      'server_error',
    ],
    ['a body without end', (_q, r) => r.end('x'.repeat(3_000_000)), 'response_too_large'],
  ])('comes from %s and is not repeated', async (_case, answer, reason) => {
    server.answerWith(answer);
    expect(await connect().send(message)).toMatchObject({ outcome: 'unknown', reason });
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['no answer', () => undefined],
    [
      'a body that stops',
      (_q, r) => {
        r.writeHead(200, { 'content-length': '1000' });
        r.write('{');
      },
    ],
  ])('comes from %s in time and is not repeated', async (_case, answer) => {
    server.answerWith(answer);
    const client = connect({ timeouts: { headersMs: 300, bodyMs: 300 } });
    expect(await client.send(message)).toEqual({ outcome: 'unknown', reason: 'response_timeout' });
    expect(server.received.length).toBeLessThanOrEqual(1);
  });

  it('comes from a keep-alive connection that the server drops with the next request', async () => {
    const client = connect({ connections: 1 });
    server.answerWith(json(200, acceptance));
    await client.send(message);
    server.answerWith((_request, response) => response.destroy());
    expect(await client.send(message)).toEqual({ outcome: 'unknown', reason: 'connection_lost' });
    server.answerWith(json(200, acceptance));
    expect(await client.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(server.received).toHaveLength(3);
  });

  it('comes from cancelling after the request left', async () => {
    const stop = new AbortController();
    server.answerWith(() => stop.abort());
    expect(await connect().send(message, stop.signal)).toEqual({ outcome: 'unknown', reason: 'cancelled' });
  });
});

describe('a message that did not leave', () => {
  async function closedPort(): Promise<number> {
    const probe: Server = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo; // a TCP server has no other kind
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  it('says so when nobody listens', async () => {
    const client = connect({ baseUrl: `http://127.0.0.1:${await closedPort()}/v26.0` });
    expect(await client.send(message)).toEqual({ outcome: 'not_sent', reason: 'connect_refused' });
  });

  it('says so when the name is unknown', async () => {
    const client = connect({ baseUrl: 'http://graph.invalid/v26.0' });
    expect(await client.send(message)).toEqual({ outcome: 'not_sent', reason: 'dns' });
  });

  it('says so when the other side speaks no TLS', async () => {
    const client = connect({ baseUrl: `${server.origin.replace('http:', 'https:')}/v26.0` });
    expect(await client.send(message)).toEqual({ outcome: 'not_sent', reason: 'tls' });
    expect(server.received).toHaveLength(0);
  });

  it('says so when no connection is free in time', async () => {
    const client = connect({ connections: 1, timeouts: { headersMs: 20_000, totalMs: 3_000 } });
    const stop = new AbortController();
    const left = new Promise<void>((resolve) => server.answerWith(() => resolve()));
    const first = client.send(message, stop.signal);
    await left;
    expect(await client.send(message)).toEqual({ outcome: 'not_sent', reason: 'pool_exhausted' });
    stop.abort();
    await first;
    expect(server.received).toHaveLength(1);
  });

  it('says so at once when too many wait', async () => {
    const client = connect({ connections: 1, maxWaiting: 1 });
    server.answerWith((_request, response) =>
      setTimeout(() => json(200, acceptance)(_request, response), 50),
    );
    const results = await Promise.all([client.send(message), client.send(message), client.send(message)]);
    expect(results.map((result) => result.outcome)).toEqual(['accepted', 'accepted', 'not_sent']);
  });

  it('says so when it was cancelled while waiting', async () => {
    const client = connect({ connections: 1 });
    const stop = new AbortController();
    server.answerWith((request, response) => {
      stop.abort();
      json(200, acceptance)(request, response);
    });
    const results = await Promise.all([client.send(message), client.send(message, stop.signal)]);
    expect(results).toMatchObject([{ outcome: 'accepted' }, { outcome: 'not_sent', reason: 'cancelled' }]);
    expect(server.received).toHaveLength(1);
  });

  it('says so when it was cancelled before', async () => {
    expect(await connect().send(message, AbortSignal.abort())).toEqual({
      outcome: 'not_sent',
      reason: 'cancelled',
    });
  });
});
