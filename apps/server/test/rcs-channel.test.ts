import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

const AGENT = 'sandbox-agent';
const TOKEN = 'a word that the platform knows';
const ADDRESS = '/webhooks/rcs/sample';

let host: HostFixture;
let serviceAccount: string;
let channelId: string;

const values = (over: Record<string, string> = {}) => ({
  ...{
    serviceAccount,
    agentId: `${AGENT}@rbm.goog`,
    region: 'europe',
    useCase: 'multi_use',
    clientToken: TOKEN,
  },
  ...over,
});
const rcs = <Answer = object>(path: string, body?: object) =>
  host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);

type Proof = {
  fields: { field: string; state: string; problem: string | null }[];
  displayName: string | null;
};
const prove = async (over: Record<string, string>) =>
  (
    await host.call<Proof>('POST', '/api/channels/connections/proof', {
      ...{ kind: 'rcs', server: 'sandbox', values: values(over) },
    })
  ).body;

/** The whole product; an agent of the stand-in is connected as people connect it. */
beforeAll(async () => {
  host = await openHostFixture();
  serviceAccount = JSON.stringify(await rcs('service-account'));
  await rcs('behaviour', { latencyMs: 0, statusDelayMs: 1, deliveredRate: 1, readRate: 1 });
});
afterAll(() => host.close());

it('each value of a connection is tried, and what is wrong is named', async () => {
  expect(await prove({})).toMatchObject({
    displayName: AGENT,
    fields: [
      { field: 'serviceAccount', state: 'right', problem: null },
      { field: 'agentId', state: 'right', problem: null },
    ],
  });
  expect((await prove({ agentId: 'agent-of-others' })).fields).toMatchObject([
    { field: 'serviceAccount', state: 'right' },
    { field: 'agentId', state: 'wrong', problem: 'agent_unknown' },
  ]);
  // A key of another project signs in, and may not use this agent.
  const ofOther = JSON.stringify(await rcs('service-account?project=another-partner'));
  expect((await prove({ serviceAccount: ofOther })).fields).toMatchObject([
    { field: 'serviceAccount', state: 'right' },
    { field: 'agentId', state: 'wrong', problem: 'agent_unknown' },
  ]);
  const file = JSON.parse(serviceAccount) as object;
  for (const [over, problem] of [
    ['{ "client_email": 1 }', 'key_unreadable'],
    // The key goes to the platform that is called, and nowhere else.
    [JSON.stringify({ ...file, token_uri: 'http://127.0.0.1:1/token' }), 'key_unreadable'],
    [JSON.stringify({ ...file, client_email: 'svc@another-project.example' }), 'key_refused'],
  ] as const)
    expect([problem, (await prove({ serviceAccount: over })).fields]).toMatchObject([
      problem,
      [
        { field: 'serviceAccount', state: 'wrong', problem },
        { field: 'agentId', state: 'unproven' },
      ],
    ]);
  expect((await prove({ region: 'the moon' })).fields).toHaveLength(2);
});

it('an agent is connected once, its key is sealed, and its webhook address shakes hands', async () => {
  const body = { kind: 'rcs', server: 'sandbox', values: values() };
  const wrong = await host.call('POST', '/api/channels/connections', {
    ...{ ...body, values: values({ region: 'the moon' }) },
  });
  expect([wrong.status, wrong.body]).toMatchObject([422, { error: { code: 'connection_incomplete' } }]);
  const connected = await host.call<{ id: string; webhookUrl: string }>(
    'POST',
    '/api/channels/connections',
    body,
  );
  expect([connected.status, connected.body]).toMatchObject([
    200,
    {
      ...{ kind: 'rcs', isConnected: true, server: 'sandbox', displayName: AGENT, webhookToken: TOKEN },
      values: { agentId: `${AGENT}@rbm.goog`, region: 'europe', useCase: 'multi_use' },
    },
  ]);
  expect(JSON.stringify(connected.body)).not.toContain('PRIVATE KEY');
  channelId = connected.body.id;
  const again = await host.call<{ id: string }>('POST', '/api/channels/connections', body);
  expect([again.status, again.body.id]).toEqual([200, channelId]);
  const { rows } = await host.database.query(
    'SELECT credentials::text AS stored FROM channels WHERE id = $1',
    [channelId],
  );
  expect(rows[0].stored).not.toContain('PRIVATE KEY');
  const callbackUrl = host.url + ADDRESS;
  expect(await rcs('webhook', { callbackUrl, clientToken: 'another word' })).toMatchObject({
    handshake: { ok: false },
  });
  expect(await rcs('webhook', { callbackUrl, clientToken: TOKEN })).toMatchObject({
    handshake: { ok: true },
  });
});

it('a forged delivery is refused, and so is one that is signed for nobody here', async () => {
  const data = Buffer.from(JSON.stringify({ senderPhoneNumber: '+447700900210', text: 'Hi' })).toString(
    'base64',
  );
  const post = async (headers: Record<string, string>) =>
    (
      await fetch(host.url + ADDRESS, {
        ...{ method: 'POST', headers, body: JSON.stringify({ message: { data } }) },
      })
    ).status;
  expect(await post({})).toBe(401);
  expect(await post({ 'x-goog-signature': 'AAAA' })).toBe(401);
});

/** A picture of one pixel. */
const picture = {
  ...{ mimeType: 'image/png', fileName: 'menu.png' },
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

type Message = {
  direction: string;
  type: string;
  text: string;
  state: string | null;
  files: { state: string }[];
  error: { code: string } | null;
};

async function openConversation(phone: string, text: string): Promise<string> {
  await rcs('inbound', { from: phone, text });
  const { body } = await eventually(
    () => host.call<{ items: { id: string; contact: { phone: string } }[] }>('GET', '/api/conversations'),
    ({ body: { items } }) => items.some(({ contact }) => contact.phone === phone),
  );
  return body.items.find(({ contact }) => contact.phone === phone)!.id;
}

const messagesOf = async (conversationId: string) =>
  (await host.call<{ items: Message[] }>('GET', `/api/conversations/${conversationId}/messages`)).body.items;

it('a person writes to the agent, gets an answer that is delivered and read, and taps in it', async () => {
  const phone = '+447700900211';
  const conversationId = await openConversation(phone, 'Is it still open?');
  const send = (message: object) =>
    host.call('POST', `/api/conversations/${conversationId}/messages`, { message });
  expect((await send({ text: 'Until six.' })).status).toBe(200);
  await eventually(
    () => messagesOf(conversationId),
    (messages) => messages.some(({ text, state }) => text === 'Until six.' && state === 'read'),
  );
  const content = {
    ...{ kind: 'rcs', contentType: 'standalone_card' },
    value: {
      orientation: 'vertical',
      card: {
        title: 'Table for two',
        suggestions: [{ type: 'reply', text: 'Book it', data: 'book:2' }],
      },
    },
  };
  expect((await send({ content })).status).toBe(200);
  await eventually(
    () => rcs<{ phones: { phone: string; entries: object[] }[] }>('phones'),
    ({ phones }) => phones.find((one) => one.phone === phone)?.entries.length === 3,
  );
  await rcs('inbound', { from: phone, tap: 'Book it' });
  await rcs('inbound', { from: phone, location: { latitude: 52.52, longitude: 13.4 } });
  await rcs('inbound', { from: phone, file: picture });
  const messages = await eventually(
    () => messagesOf(conversationId),
    (found) => found.length === 6 && found.some(({ files }) => files[0]?.state === 'stored'),
  );
  expect(messages.map(({ direction, type }) => `${direction} ${type}`).toSorted()).toEqual(
    ['in text', 'out text', 'out kind_content', 'in button_reply', 'in location', 'in media'].toSorted(),
  );
  const sent = await rcs<{ messages: { phone: string; trafficType: string }[] }>('messages');
  expect(sent.messages.filter((one) => one.phone === phone)).toMatchObject([
    { trafficType: 'SERVICEREQUEST' },
    { trafficType: 'SERVICEREQUEST' },
  ]);
});

it('a number without RCS fails with a reason, alone', async () => {
  const conversationId = await openConversation('+447700900903', 'Hello');
  const message = { text: 'Can you read this?' };
  expect((await host.call('POST', `/api/conversations/${conversationId}/messages`, { message })).status).toBe(
    200,
  );
  const messages = await eventually(
    () => messagesOf(conversationId),
    (found) => found.some(({ state }) => state === 'failed'),
  );
  expect(messages.find(({ state }) => state === 'failed')?.error?.code).toBe('rcs.NOT_FOUND');
});

it('UNSUBSCRIBE opts out, the word START alone changes nothing, and SUBSCRIBE opts in', async () => {
  const phone = '+447700900212';
  await openConversation(phone, 'Hello');
  const isOut = async () => {
    const { rows } = await host.database.query<{ out: boolean }>(
      'SELECT opted_out_at IS NOT NULL AS out FROM contacts WHERE phone = $1',
      [phone],
    );
    return rows[0]!.out;
  };
  await rcs('inbound', { from: phone, unsubscribe: true });
  await eventually(isOut, (out) => out);
  const word = randomUUID();
  await rcs('inbound', { from: phone, text: 'START' });
  await rcs('inbound', { from: phone, text: word });
  await eventually(
    () => host.database.query('SELECT 1 FROM messages WHERE text = $1', [word]),
    ({ rows }) => rows.length === 1,
  );
  expect(await isOut()).toBe(true);
  // Of two words within one second the opt-out counts.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await rcs('inbound', { from: phone, subscribe: true });
  await eventually(isOut, (out) => !out);
});

it('a campaign through the agent is marked as promotion and reaches each person once', async () => {
  const phones = ['+447700900221', '+447700900222', '+447700900223'];
  for (const [n, phone] of phones.entries())
    await host.call('POST', '/api/contacts', { name: `Reader ${n}`, phone, tags: ['rcs-readers'] });
  const { status, body } = await host.call<{ campaignId: string }>('POST', '/api/bulk-messages', {
    ...{ audience: { filter: { tags: ['rcs-readers'] } }, message: { customMessage: 'Hello {{name}}' } },
    ...{ channelId },
  });
  expect([status, body]).toMatchObject([200, { campaignId: expect.any(String) }]);
  await eventually(
    () => host.call<{ counts: { read: number } }>('GET', `/api/campaigns/${body.campaignId}`),
    (campaign) => campaign.body.counts.read === 3,
  );
  const { messages } = await rcs<{ messages: { phone: string; trafficType: string }[] }>('messages');
  const sent = messages.filter(({ phone }) => phones.includes(phone));
  expect(sent.map(({ phone }) => phone).toSorted()).toEqual(phones);
  expect(new Set(sent.map(({ trafficType }) => trafficType))).toEqual(new Set(['PROMOTION']));
});
