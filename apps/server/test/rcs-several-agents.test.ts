import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAgent, FIRST_AGENT } from './connect-agent.ts';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

const SECOND_AGENT = { agentId: 'second-agent', clientToken: 'a word of the second agent' };

let host: HostFixture;
let channelIds: { first: string; second: string };

const rcs = <Answer = object>(path: string, body?: object) =>
  host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);

beforeAll(async () => {
  host = await openHostFixture();
  await rcs('agents', { id: SECOND_AGENT.agentId, displayName: 'Second Agent' });
  channelIds = {
    first: await connectAgent(host, { readRate: 0 }),
    second: await connectAgent(host, { readRate: 0, agent: SECOND_AGENT }),
  };
});
afterAll(() => host.close());

type Delivery = { agentId: string; phone: string; messageId?: string; clientToken: string; said?: object };

/** A delivery about a phone, named and signed as told; the answered status. */
async function post({ agentId, phone, messageId = `Mx${randomUUID()}`, clientToken, said }: Delivery) {
  const payload = {
    ...{ agentId: `${agentId}@rbm.goog`, senderPhoneNumber: phone, sendTime: new Date() },
    ...(said ?? { messageId, text: `From ${phone}` }),
  };
  const data = Buffer.from(JSON.stringify(payload));
  const signature = createHmac('sha512', clientToken).update(data).digest('base64');
  const response = await fetch(`${host.url}/webhooks/rcs/sample`, {
    ...{ method: 'POST', headers: { 'x-goog-signature': signature } },
    body: JSON.stringify({ message: { data: data.toString('base64') } }),
  });
  return response.status;
}

const storedOf = async (phone: string) =>
  (
    await host.database.query<{ channelId: string; text: string }>(
      `SELECT m.channel_id AS "channelId", m.text FROM messages m JOIN contacts c ON c.id = m.contact_id
        WHERE c.phone = $1 AND m.direction = 'in'`,
      [phone],
    )
  ).rows;
const knows = async (phone: string) =>
  (await host.database.query('SELECT FROM contacts WHERE phone = $1', [phone])).rows.length > 0;

it('a delivery for an agent is taken with the client token of this agent, and with no other', async () => {
  const phones = ['+447700900281', '+447700900282', '+447700900283'] as const;
  const [first, second, forged] = phones;
  expect(await post({ ...FIRST_AGENT, phone: first })).toBe(200);
  expect(await post({ ...SECOND_AGENT, phone: second })).toBe(200);
  const { clientToken } = SECOND_AGENT;
  expect(await post({ agentId: FIRST_AGENT.agentId, phone: forged, clientToken })).toBe(401);
  expect(await post({ ...SECOND_AGENT, phone: forged, clientToken: FIRST_AGENT.clientToken })).toBe(401);
  expect(await storedOf(first)).toEqual([{ channelId: channelIds.first, text: `From ${first}` }]);
  expect(await storedOf(second)).toEqual([{ channelId: channelIds.second, text: `From ${second}` }]);
  expect(await knows(forged)).toBe(false);
});

it('a report and a wish with the token of another agent change nothing', async () => {
  const phone = '+447700900284';
  const clientToken = SECOND_AGENT.clientToken;
  await post({ ...FIRST_AGENT, phone, said: { eventType: 'UNSUBSCRIBE', eventId: randomUUID() } });
  const isOut = async () =>
    (
      await host.database.query<{ out: boolean }>(
        'SELECT opted_out_at IS NOT NULL AS out FROM contacts WHERE phone = $1',
        [phone],
      )
    ).rows[0]?.out;
  expect(await isOut()).toBe(true);
  const wish = { eventType: 'SUBSCRIBE', eventId: randomUUID() };
  expect(await post({ agentId: FIRST_AGENT.agentId, phone, clientToken, said: wish })).toBe(401);
  expect(await isOut()).toBe(true);
});

it('a report that another agent signs for itself changes nothing about a message, of a conversation or of a campaign', async () => {
  const phones = ['+447700900288', '+447700900289'] as const;
  for (const phone of phones) await rcs(`phones/${encodeURIComponent(phone)}`, { behaviour: 'silent' });
  const contactIds: string[] = [];
  for (const phone of phones) {
    const { body } = await host.call<{ id: string }>('POST', '/api/contacts', { name: 'Reader', phone });
    contactIds.push(body.id);
  }
  const content = await host.call<{ id: string }>('POST', '/api/rcs/messages', {
    ...{ name: 'News', type: 'text', status: 'active', content: { text: 'Hello' } },
  });
  const campaign = await host.call<{ id: string }>('POST', '/api/campaigns', {
    ...{ name: 'News', message: { contentId: content.body.id }, audience: { contactIds: [contactIds[0]!] } },
    channelId: channelIds.first,
  });
  expect((await host.call('POST', `/api/campaigns/${campaign.body.id}/start`)).status).toBe(200);
  await post({ ...FIRST_AGENT, phone: phones[1] });
  const { body: inbox } = await host.call<{ items: { id: string; contact: { phone: string } }[] }>(
    'GET',
    '/api/conversations',
  );
  const { id } = inbox.items.find(({ contact }) => contact.phone === phones[1])!; // they wrote
  await host.call('POST', `/api/conversations/${id}/messages`, { message: { text: 'An answer' } });
  type Sent = { messageId: string; delivered: Date | null; read: Date | null; failed: Date | null };
  const readSent = async () => {
    const columns = 'delivered_at AS delivered, read_at AS read, failed_at AS failed';
    const { rows } = await host.database.query<Sent>(
      `SELECT provider_message_id AS "messageId", ${columns} FROM delivery_recipients WHERE address = $1 AND provider_message_id IS NOT NULL
       UNION ALL SELECT m.provider_message_id, ${columns} FROM messages m WHERE m.contact_id = $2 AND m.direction = 'out' AND m.provider_message_id IS NOT NULL`,
      [phones[0], contactIds[1]],
    );
    return rows;
  };
  const sent = await eventually(readSent, (found) => found.length === 2);
  const tell = async (agent: typeof FIRST_AGENT, eventType: string) => {
    for (const [n, { messageId }] of sent.entries()) {
      const said = { eventType, eventId: randomUUID(), messageId };
      expect(await post({ ...agent, phone: phones[n]!, said })).toBe(200);
    }
    return readSent();
  };
  for (const eventType of ['DELIVERED', 'READ', 'TTL_EXPIRATION_REVOKED'])
    expect(await tell(SECOND_AGENT, eventType)).toEqual(sent);
  expect(await tell(FIRST_AGENT, 'READ')).toMatchObject([
    { read: expect.any(Date), failed: null },
    { read: expect.any(Date), failed: null },
  ]);
});

it('an event of another agent does not use up the id of an event', async () => {
  const phone = '+447700900290';
  const said = { eventType: 'UNSUBSCRIBE', eventId: randomUUID() };
  await post({ ...FIRST_AGENT, phone });
  await post({ ...FIRST_AGENT, agentId: 'agent-of-nobody', phone, said });
  await post({ ...SECOND_AGENT, phone: '+447700900291', said });
  expect(await post({ ...FIRST_AGENT, phone, said })).toBe(200);
  const { rows } = await host.database.query(
    'SELECT opted_out_at IS NOT NULL AS out FROM contacts WHERE phone = $1',
    [phone],
  );
  expect(rows).toEqual([{ out: true }]);
});

it('a delivery for an agent that is not connected is answered, and changes nothing here', async () => {
  const phone = '+447700900285';
  // The platform would send anything but 200 again for days, and hold back the deliveries of the other agents.
  const strange = { agentId: 'agent-of-others', clientToken: FIRST_AGENT.clientToken, phone };
  expect(await post(strange)).toBe(200);
  for (const eventType of ['SUBSCRIBE', 'UNSUBSCRIBE'])
    expect(await post({ ...strange, said: { eventType, eventId: randomUUID() } })).toBe(200);
  expect(await knows(phone)).toBe(false);
  const { rows } = await host.database.query(
    `SELECT kind, payload::text AS payload FROM platform_events WHERE payload->>'address' = 'agent-of-others'`,
  );
  expect(rows).toMatchObject(Array.from({ length: 3 }, () => ({ kind: 'unknown' })));
  expect(JSON.stringify(rows)).not.toContain(phone);
});

it('a delivery that is posted again is answered, and stored once', async () => {
  const phone = '+447700900286';
  const delivery = { ...SECOND_AGENT, phone, messageId: `Mx${randomUUID()}` };
  for (const _ of [1, 2, 3]) expect(await post(delivery)).toBe(200);
  expect(await storedOf(phone)).toHaveLength(1);
  // Nor for the other agent, whose token it lacks.
  expect(await post({ ...delivery, agentId: FIRST_AGENT.agentId })).toBe(401);
  expect(await storedOf(phone)).toHaveLength(1);
});

it('a person who writes to two agents gets the answer of the agent they wrote to last', async () => {
  const phone = '+447700900287';
  const write = async (agentId: string, text: string) => {
    await rcs('inbound', { agentId, from: phone, text });
    await eventually(
      () => storedOf(phone),
      (found) => found.some((one) => one.text === text),
    );
  };
  type Row = { id: string; contact: { phone: string } };
  type Thread = { phone: string; agentId: string; entries: { content?: { text: string } }[] };
  for (const [agentId, answer] of [
    [FIRST_AGENT.agentId, 'Answer of the first'],
    [SECOND_AGENT.agentId, 'Answer of the second'],
  ] as const) {
    await write(agentId, `To ${agentId}`);
    const { body } = await host.call<{ items: Row[] }>('GET', '/api/conversations');
    const { id } = body.items.find(({ contact }) => contact.phone === phone)!; // they wrote
    const message = { text: answer };
    expect((await host.call('POST', `/api/conversations/${id}/messages`, { message })).status).toBe(200);
    const { phones } = await eventually(
      () => rcs<{ phones: Thread[] }>('phones'),
      (found) => JSON.stringify(found).includes(answer),
    );
    const threads = phones.filter((one) => JSON.stringify(one.entries).includes(answer));
    expect(threads).toMatchObject([{ phone, agentId }]);
  }
});
