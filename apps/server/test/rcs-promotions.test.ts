import { createRcsKind } from '@app/providers/rcs/rcs-kind';
import { whatsAppKind } from '@app/providers/whatsapp-cloud/whatsapp-kind';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAgent, FIRST_AGENT } from './connect-agent.ts';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

const SECOND_AGENT = { agentId: 'second-agent', clientToken: 'a word of the second agent' };
const [NOON, NIGHT] = ['2026-03-10T06:30:00Z', '2026-03-10T18:30:00Z'].map((at) => Date.parse(at));

/** What time it is for the agents; India is five and a half hours ahead. */
let agentTime = NOON!;
let host: HostFixture;
let channelIds: string[];

const rcs = <Answer = object>(path: string, body?: object) =>
  host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);

beforeAll(async () => {
  host = await openHostFixture([whatsAppKind, createRcsKind(() => agentTime)]);
  await rcs('agents', { id: SECOND_AGENT.agentId });
  channelIds = [];
  for (const agent of [FIRST_AGENT, SECOND_AGENT])
    channelIds.push(await connectAgent(host, { readRate: 0, agent }));
});
afterAll(() => host.close());

const inIndia = ['+919876543201', '+919876543202'];
const elsewhere = '+447700900291';
const audience = { filter: { tags: ['offers'] } };

async function addMessage(category: string): Promise<string> {
  const { body } = await host.call<{ id: string }>('POST', '/api/rcs/messages', {
    ...{ name: `About ${category}`, type: 'text', content: { text: `This is ${category}` } },
    ...{ status: 'active', category },
  });
  return body.id;
}

type Campaign = { id: string; status: string; counts: Record<string, number> };
/** Creates and starts a campaign; its id. */
async function startCampaign(contentId: string, channelId: string): Promise<string> {
  const { body } = await host.call<Campaign>('POST', '/api/campaigns', {
    ...{ name: 'Offers', message: { contentId }, audience, channelId },
  });
  expect((await host.call('POST', `/api/campaigns/${body.id}/start`, {})).status).toBe(200);
  return body.id;
}
const get = async (id: string) => (await host.call<Campaign>('GET', `/api/campaigns/${id}`)).body;
const completed = (id: string) =>
  eventually(
    () => get(id),
    ({ status }) => status === 'completed',
  );

async function receivedBy(phone: string): Promise<string[]> {
  const { messages } = await rcs<{ messages: { phone: string; trafficType: string }[] }>('messages');
  return messages.filter((one) => one.phone === phone).map(({ trafficType }) => trafficType);
}
const promotionsOf = async (phone: string) =>
  (await receivedBy(phone)).filter((traffic) => traffic === 'PROMOTION').length;

it('of six promotional campaigns at once a person in India gets four, and a transactional one still arrives', async () => {
  for (const phone of [...inIndia, elsewhere])
    await host.call('POST', '/api/contacts', { name: `Reader ${phone}`, phone, tags: ['offers'] });
  const promotional = await addMessage('promotional');
  const ids = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((n) => startCampaign(promotional, channelIds[n % 2]!)),
  );
  for (const id of ids) await completed(id);
  for (const phone of inIndia) expect(await promotionsOf(phone)).toBe(4);
  expect(await promotionsOf(elsewhere)).toBe(6);

  type Reasons = { reasons: { errorCode: string | null; count: number }[] };
  const reasons = await Promise.all(
    ids.map(async (id) => (await host.call<Reasons>('GET', `/api/campaigns/${id}/reasons`)).body.reasons),
  );
  const capped = reasons.flat().filter(({ errorCode }) => errorCode === 'promotions_capped');
  expect(reasons.flat()).toEqual(capped);
  expect(capped.reduce((sum, { count }) => sum + count, 0)).toBe(4);

  // It is known before the next one starts.
  const [channelId] = channelIds;
  const preflight = await host.call('POST', '/api/campaigns/preflight', {
    ...{ message: { contentId: promotional }, audience, channelId },
  });
  expect(preflight.body).toMatchObject({ receiving: 1, promotionsCapped: 2 });
  const transactional = await addMessage('transactional');
  await completed(await startCampaign(transactional, channelId!));
  for (const phone of inIndia) expect((await receivedBy(phone)).at(-1)).toBe('TRANSACTION');
});

it('at night in India a promotional message waits for the morning, and a transactional one leaves', async () => {
  const phone = '+919876543203';
  await host.call('POST', '/api/contacts', { name: 'Night reader', phone, tags: ['offers'] });
  for (const done of inIndia) {
    const { body } = await host.call<{ items: { id: string }[] }>(
      'GET',
      `/api/contacts?search=${done.slice(1)}`,
    );
    await host.call('DELETE', `/api/contacts/${body.items[0]!.id}`);
  }
  agentTime = NIGHT!;
  const [channelId] = channelIds;
  const waiting = await startCampaign(await addMessage('marketing'), channelId!);
  await eventually(
    () => get(waiting),
    ({ counts }) => counts['delivered'] === 1,
  );
  const triedAgainAt = async () =>
    (
      await host.database.query<{ hours: number }>(
        `SELECT extract(epoch FROM q.not_before - now()) / 3600 AS hours FROM delivery_retries q
           JOIN delivery_recipients r USING (run_no, seq) JOIN contacts c ON c.id = r.contact_id WHERE c.phone = $1`,
        [phone],
      )
    ).rows;
  const [{ hours } = { hours: 0 }] = await eventually(triedAgainAt, (rows) => rows.length === 1);
  expect(Number(hours)).toBeCloseTo(7, 0);
  await completed(await startCampaign(await addMessage('customer_service'), channelId!));
  expect(await receivedBy(phone)).toEqual(['TRANSACTION']);
  expect((await get(waiting)).counts).toMatchObject({ failed: 0 });
});
