import { createRcsClient, type RcsClientOptions } from '@app/providers/rcs/rcs-client';
import { messageIdOf, tagOf } from '@app/providers/rcs/message-id';
import { answerHandshake, isSignedBy, payloadOf } from '@app/providers/rcs/rcs-webhooks';
import { createSandbox } from '@app/sandbox/sandbox';
import { rcsCard, rcsCarousel, rcsText } from '@app/domain/channel-kinds/rcs/rcs-contents';
import type { ContentType } from '@app/domain/channel-kinds/content-type';
import type { MessageContent } from '@app/domain/messaging/message-content';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

const sandbox = createSandbox();
const clients: { close(): Promise<void> }[] = [];
let url: string;
let keyFile: string;
let receiver: Server;
const deliveries: { body: Buffer; signature: string | null }[] = [];

const control = async (path: string, body?: object): Promise<unknown> => {
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  return (await fetch(`${url}/_sandbox/rcs/${path}`, init)).json();
};
const open = (over: Partial<RcsClientOptions> = {}) => {
  const client = createRcsClient({
    ...{ agentId: 'sandbox-agent', keyFile, region: 'europe', baseUrl: `${url}/rcs` },
    ...{ timeouts: { callMs: 2_000, pauseMs: 1 }, ...over },
  });
  clients.push(client);
  return client;
};

beforeAll(async () => {
  ({ url } = await sandbox.start({ port: 0 }));
  keyFile = JSON.stringify(await control('service-account'));
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const secret = answerHandshake('sandbox-client-token', body);
      if (secret === null)
        deliveries.push({ body, signature: String(request.headers['x-goog-signature'] ?? '') || null });
      response.end(secret ?? '');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  sandbox.rcs.reset();
  deliveries.length = 0;
  await control('behaviour', { latencyMs: 0, statusDelayMs: 1, deliveredRate: 1, readRate: 1 });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(async () => {
  await sandbox.close();
  receiver.closeAllConnections();
  receiver.close();
});

const hello: MessageContent = { type: 'text', body: 'Hello' };
const messageTo = (to: string, content: MessageContent = hello, tag = 'd1.7.3.1') => ({
  to,
  tag,
  origin: 'campaign',
  content,
});
const contentOf = (type: ContentType, given: object): MessageContent => {
  const read = type.read(given);
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return { type: 'kind_content', kind: type.kind, contentType: type.name, value: read.value };
};
const suggestions = [
  { type: 'reply', text: 'Yes', data: 'answer:yes' },
  { type: 'url', text: 'Shop', url: 'https://shop.example/sale' },
  { type: 'dial', text: 'Call', phone: '+15550001111' },
];
const card = {
  ...{ title: 'Spring sale', description: '20 percent off' },
  media: { link: 'https://cdn.example/s.jpg', height: 'medium' },
  suggestions,
};

test.each([
  ['a text', contentOf(rcsText, { text: 'Table booked', suggestions })],
  ['a card', contentOf(rcsCard, { orientation: 'vertical', card, suggestions })],
  ['a horizontal card', contentOf(rcsCard, { orientation: 'horizontal', imageSide: 'right', card })],
  ['a carousel', contentOf(rcsCarousel, { width: 'small', cards: [card, card], suggestions })],
  ['a file', { type: 'media', kind: 'image', media: { link: 'https://cdn.example/menu.pdf' } }],
  [
    'a question',
    {
      type: 'interactive',
      body: 'When?',
      action: { type: 'reply_buttons', buttons: [{ id: 'a', title: 'Now' }] },
    },
  ],
] satisfies [string, MessageContent][])('%s is taken, and reaches the phone', async (_, content) => {
  const sent = await open().send(messageTo('+447700900200', content));
  expect(sent).toEqual({ outcome: 'accepted', providerMessageId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  await expect.poll(() => sandbox.rcs.stats.read).toBe(1);
  const { phones } = (await control('phones')) as { phones: object[] };
  expect(phones).toMatchObject([{ phone: '+447700900200', entries: [{ direction: 'in', state: 'read' }] }]);
});

test('an id is sent under once, whatever the platform answers to the second call', async () => {
  const client = open();
  const first = await client.send(messageTo('+447700900200'));
  expect(await client.send(messageTo('+447700900200'))).toEqual(first);
  await control('behaviour', { conflicts: true });
  expect(await client.send(messageTo('+447700900200'))).toEqual(first);
  expect(sandbox.rcs.stats).toMatchObject({ accepted: 1, repeated: 2 });
});

test('a try that a process sent before it died is delivered once when another process sends it again', async () => {
  const first = await open().send(messageTo('+447700900200'));
  expect(await open().send(messageTo('+447700900200'))).toEqual(first);
  expect(sandbox.rcs.stats).toMatchObject({ accepted: 1, repeated: 1 });
  // The same number of another database is another message.
  const other = { ...messageTo('+447700900200'), origin: 'another campaign' };
  expect(await open().send(other)).not.toEqual(first);
  expect(sandbox.rcs.stats).toMatchObject({ accepted: 2 });
});

test('an id holds the tag of its message, and differs where the number belongs to another campaign', () => {
  for (const tag of ['d1.1.0.1', 'd1.2gosa7pa2gv.zik0zj.pa7', 'm1.a.1', 'm1.2gosa7pa2gv.pa7']) {
    expect([tag, tagOf(messageIdOf(tag, 'one'))]).toEqual([tag, tag]);
    expect(messageIdOf(tag, 'one')).toBe(messageIdOf(tag, 'one'));
    expect(messageIdOf(tag, 'one')).not.toBe(messageIdOf(tag, 'two'));
  }
  expect(messageIdOf('d1.7.3.1', 'one')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  for (const other of [messageIdOf('a tag', 'one'), '0b6f7c1e-7a34-4f63-9a56-2f6a5d1f9f10', ''])
    expect(tagOf(other)).toBeNull();
});

test.each([
  ['+447700900903', 'NOT_FOUND', { kind: 'unreachable' }],
  ['+447700900904', 'NOT_FOUND', { kind: 'unreachable' }],
  ['+447700900905', 'RESOURCE_EXHAUSTED', { kind: 'lower_rate' }],
])('%s is refused as %s', async (to, code, action) => {
  expect(await open().send(messageTo(to))).toMatchObject({
    ...{ outcome: 'refused', error: { code: `rcs.${code}` }, action },
  });
});

test('media that the platform cannot fetch fails alone', async () => {
  const media = { link: 'https://cdn.invalid/s.jpg', height: 'medium' };
  const content = contentOf(rcsCard, { orientation: 'vertical', card: { ...card, media } });
  expect(await open().send(messageTo('+447700900200', content))).toMatchObject({
    outcome: 'refused',
    error: { code: 'rcs.INVALID_ARGUMENT' },
    action: { kind: 'fail' },
  });
});

test('a card for a phone that shows no cards fails alone', async () => {
  const sent = await open().send(
    messageTo('+447700900902', contentOf(rcsCard, { orientation: 'vertical', card })),
  );
  expect(sent).toMatchObject({
    outcome: 'refused',
    error: { code: 'rcs.INVALID_ARGUMENT' },
    action: { kind: 'fail' },
  });
});

test('a server that is down is asked again with the same id, and in the end the outcome is unknown', async () => {
  expect(await open().send(messageTo('+447700900906'))).toMatchObject({ outcome: 'accepted' });
  expect(sandbox.rcs.stats.accepted).toBe(1);
  await control('behaviour', { refusals: 100 });
  expect(await open().send(messageTo('+447700900906', hello, 'd1.8.1.1'))).toMatchObject({
    ...{ outcome: 'unknown', reason: 'server_error' },
  });
});

test('a token is fetched once for many calls, and anew when the platform has forgotten it', async () => {
  const client = open();
  const sends = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      client.send(messageTo(`+4477009002${10 + n}`, hello, `d1.7.${n}.1`)),
    ),
  );
  expect(sends.every(({ outcome }) => outcome === 'accepted')).toBe(true);
  expect(sandbox.rcs.access.tokens.size).toBe(1);
  sandbox.rcs.access.tokens.clear();
  expect(await client.send(messageTo('+447700900200', hello, 'd1.9.1.1'))).toMatchObject({
    outcome: 'accepted',
  });
});

test.each([
  ['a file that is none', () => 'no file', 'key_unreadable'],
  ['another key', () => keyFile.replace('sandbox-key-1', 'sandbox-key-2'), 'invalid_grant'],
  ['another account', () => keyFile.replace('product@', 'other@'), 'invalid_grant'],
])('%s stops the channel before anything leaves', async (_, file, code) => {
  expect(await open({ keyFile: file() }).send(messageTo('+447700900200'))).toMatchObject({
    ...{ outcome: 'refused', error: { code: `rcs.${code}` }, action: { kind: 'stop_channel' } },
  });
  expect(sandbox.rcs.stats.accepted).toBe(0);
});

test('an agent of another account is refused, and a platform that is not there gets nothing', async () => {
  expect(await open({ agentId: 'someone-elses' }).send(messageTo('+447700900200'))).toMatchObject({
    ...{ outcome: 'refused', error: { code: 'rcs.PERMISSION_DENIED' } },
  });
  const away = 'http://127.0.0.1:1';
  expect(
    await open({ baseUrl: `${away}/rcs`, keyFile: keyFile.replaceAll(url, away) }).send(
      messageTo('+447700900200'),
    ),
  ).toMatchObject({
    outcome: 'not_sent',
  });
  const reaction: MessageContent = { type: 'reaction', messageId: 'x', emoji: '👍' };
  expect(await open().send(messageTo('+447700900200', reaction))).toEqual({
    ...{ outcome: 'not_sent', reason: 'invalid_message' },
  });
});

test('what is offline waits, can be taken back, and is told of when its time is over', async () => {
  await control('webhook', { callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` });
  const client = open();
  const [kept, late] = ['+447700900901', '+447700900200'] as const;
  await control(`phones/${kept}`, { behaviour: 'offline' });
  const sent = await client.send(messageTo(kept));
  const id = sent.outcome === 'accepted' ? sent.providerMessageId : '';
  expect(await client.revoke(kept, id)).toEqual({ outcome: 'done', value: { isRevoked: true } });
  await control(`phones/${kept}`, { behaviour: 'reachable' });
  const other = await client.send(messageTo(late, hello, 'd1.7.4.1'));
  await expect.poll(() => sandbox.rcs.stats.read).toBe(1);
  const otherId = other.outcome === 'accepted' ? other.providerMessageId : '';
  expect(await client.revoke(late, otherId)).toEqual({ outcome: 'done', value: { isRevoked: false } });
  await control(`phones/${kept}`, { behaviour: 'offline' });
  await client.send(messageTo(kept, hello, 'd1.7.5.1'), undefined, {
    ...{ trafficType: 'PROMOTION', expiresAt: new Date(Date.now() + 300) },
  });
  await expect.poll(() => deliveries.length).toBe(3);
  const told = deliveries.map(({ body }) => payloadOf(body) as { eventType: string; messageId: string });
  expect(told.map(({ eventType }) => eventType).toSorted()).toEqual([
    ...['DELIVERED', 'READ', 'TTL_EXPIRATION_REVOKED'],
  ]);
  expect(tagOf(told.find(({ eventType }) => eventType.startsWith('TTL'))!.messageId)).toBe('d1.7.5.1'); // one of the three
});

test('capabilities are asked for once, of many in bulk', async () => {
  const client = open();
  expect(await client.checkPhone('+447700900200')).toMatchObject({
    ...{ outcome: 'done', value: expect.arrayContaining(['RICHCARD_CAROUSEL']) },
  });
  expect(await client.checkPhone('+447700900902')).toEqual({ outcome: 'done', value: [] });
  expect(await client.checkPhone('+447700900903')).toEqual({ outcome: 'done', value: null });
  const phones = [
    '+447700900903',
    '+447700900904',
    ...Array.from({ length: 600 }, (_, n) => `+4477010${10_000 + n}`),
  ];
  const reached = await client.checkPhones(phones);
  expect(reached.outcome === 'done' && reached.value.size).toBe(600);
  const before = sandbox.rcs.calls.total;
  expect(await client.checkPhones(phones)).toEqual(reached);
  await client.checkPhone('+447700900200');
  expect(sandbox.rcs.calls.total).toBe(before);
});

test('typing and reading are shown, and an unlaunched agent reaches its test devices alone', async () => {
  const client = open();
  expect(await client.sendEvent('+447700900200', { type: 'typing' })).toEqual({
    outcome: 'done',
    value: null,
  });
  await client.sendEvent('+447700900200', { type: 'read', messageId: 'Mx1' });
  expect(sandbox.rcs.events).toMatchObject([
    { eventType: 'IS_TYPING' },
    { eventType: 'READ', messageId: 'Mx1' },
  ]);
  await control('agent/launch-state', { state: 'PENDING' });
  expect(await client.send(messageTo('+447700900200'))).toMatchObject({
    error: { code: 'rcs.PERMISSION_DENIED' },
  });
  expect(await client.inviteTester('+447700900200')).toEqual({
    ...{ outcome: 'done', value: { phone: '+447700900200', status: 'pending' } },
  });
  await control('testers/+447700900200', { inviteStatus: 'ACCEPTED' });
  expect(await client.send(messageTo('+447700900200'))).toMatchObject({ outcome: 'accepted' });
});

test('a delivery is signed over its decoded data, and a tap comes back with its data', async () => {
  await control('webhook', { callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` });
  await open().send(messageTo('+447700900200', contentOf(rcsCard, { orientation: 'vertical', card })));
  await expect.poll(() => deliveries.length).toBe(2);
  expect(await control('inbound', { from: '+447700900200', tap: 'Yes' })).toEqual({ success: true });
  await expect.poll(() => deliveries.length).toBe(3);
  const { body, signature } = deliveries.at(-1)!; // the third
  expect(payloadOf(body)).toMatchObject({
    ...{ senderPhoneNumber: '+447700900200', agentId: 'sandbox-agent@rbm.goog' },
    suggestionResponse: { postbackData: 'answer:yes', text: 'Yes', type: 'REPLY' },
  });
  expect(isSignedBy('sandbox-client-token', body, signature)).toBe(true);
  expect(isSignedBy('another-token', body, signature)).toBe(false);
  expect(isSignedBy('sandbox-client-token', Buffer.from('{}'), signature)).toBe(false);
  expect(isSignedBy('', body, signature)).toBe(false);
  // The vector of the reference.
  const vector =
    'eyJzZW5kZXJQaG9uZU51bWJlciI6IisxNTU1MTIzNDU2NyIsIm1lc3NhZ2VJZCI6Ik14MSIsInRleHQiOiJIaSIsImFnZW50SWQiOiJteS1hZ2VudEByYm0uZ29vZyJ9';
  const known = '1VPtE7xrqPYP6zMXCAsr4IF7pTeZEJgHmjxdPnM7z5moWzAz0kQ4KJJOhNOCRVNY5bSBvpfvilesrSOph+V+1w==';
  expect(
    isSignedBy('test-client-token', Buffer.from(JSON.stringify({ message: { data: vector } })), known),
  ).toBe(true);
  expect(answerHandshake('a', Buffer.from('{"clientToken":"b","secret":"1"}'))).toBeNull();
});
