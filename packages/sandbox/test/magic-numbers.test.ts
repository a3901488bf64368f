import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMagicNumbers } from '../src/whatsapp-cloud/magic-numbers.ts';
import {
  account,
  number,
  offer,
  offerParameters,
  startReceiver,
  startSandbox,
  templateTo,
  textTo,
  waitFor,
  type Answer,
  type Received,
  type Receiver,
  type StartedSandbox,
} from './started-sandbox.ts';

let receiver: Receiver;
let started: StartedSandbox;

beforeAll(async () => {
  receiver = await startReceiver();
  started = await startSandbox({
    whatsappCallbackUrl: receiver.url,
    // One call after the other: two at once may arrive in any order.
    behaviour: { windowError: 'off', readRate: 1, deliveredRate: 1, statusBatch: 1, webhookConcurrency: 1 },
  });
  await started.graph('POST', `${account}/message_templates`, offer);
  await waitFor(
    () => started.sandbox.whatsapp.store.findTemplate(account, offer.name, 'en_US')?.status === 'APPROVED',
  );
});
afterAll(async () => {
  await started.close();
  await receiver.close();
});

const send = (body: unknown) => started.graph('POST', `${number}/messages`, body);
const idOf = async (answer: Promise<Answer>) => (await answer).at('messages.0.id');
const statusesOf = (id: unknown) => receiver.statuses().filter((status) => status['id'] === id);
const value = 'entry.0.changes.0.value';
const sendOffer = (to: string) => send(templateTo(to, offer.name, offerParameters));

test.each([
  ['056', 131056, 400],
  ['010', 133010, 400],
  ['368', 368, 403],
  ['190', 190, 401],
])('+447700900%s is refused with %i', async (last, code, status) => {
  const answer = await send(textTo(`+447700900${last}`));
  expect([answer.status, answer.at('error.code')]).toEqual([status, code]);
  expect(answer.at('error.fbtrace_id')).toMatch(/^A.{22}$/);
});

test.each([
  ['429', 130429, 400],
  ['500', 131000, 500],
  ['503', 131016, 503],
])('+447700900%s is refused twice with %i, then accepted', async (last, code, status) => {
  for (let attempt = 0; attempt < 2; attempt++) {
    const refused = await send(textTo(`+447700900${last}`));
    expect([refused.status, refused.at('error.code')]).toEqual([status, code]);
  }
  expect((await send(textTo(`+447700900${last}`))).status).toBe(200);
});

test.each([
  ['026', 131026],
  ['042', 131042],
  ['047', 131047],
])('a text to +447700900%s is accepted, then failed with %i', async (last, code) => {
  const id = await idOf(send(textTo(`+447700900${last}`)));
  await waitFor(() => statusesOf(id).length > 0);
  expect(statusesOf(id)).toMatchObject([{ status: 'failed', errors: [{ code }] }]);
  expect(statusesOf(id)[0]).not.toHaveProperty('recipient_user_id');
});

test.each([
  ['447700900049', 131049],
  ['447700900050', 131050],
  ['447700900072', 130472],
  ['12025550123', 131049],
])('marketing to +%s fails with %i, a text does not', async (to, code) => {
  const id = await idOf(sendOffer(`+${to}`));
  const textId = await idOf(send(textTo(`+${to}`)));
  await waitFor(() => statusesOf(id).length > 0 && statusesOf(textId).length >= 3);
  expect(statusesOf(id)).toMatchObject([{ status: 'failed', errors: [{ code }] }]);
  expect(statusesOf(textId).map((status) => status['status'])).toEqual(['sent', 'delivered', 'read']);
});

test('a Canadian number with +1 gets marketing', async () => {
  const id = await idOf(sendOffer('+14165550123'));
  await waitFor(() => statusesOf(id).length >= 3);
  expect(statusesOf(id)[0]).toMatchObject({
    status: 'sent',
    pricing: { category: 'marketing', type: 'regular' },
  });
});

test('+447700900050 announces that the person stopped marketing', async () => {
  await sendOffer('+447700900050');
  const isStop = (webhook: Received) => webhook.at(`${value}.user_preferences.0.value`) === 'stop';
  await waitFor(() => receiver.received.some(isStop));
  const stop = receiver.received.find(isStop);
  expect(stop?.at('entry.0.changes.0.field')).toBe('user_preferences');
  expect(stop?.at(`${value}.user_preferences.0`)).toMatchObject({
    wa_id: '447700900050',
    category: 'marketing_messages',
    timestamp: expect.any(Number),
  });
});

test('media to +447700900053 fails with 131053, a text does not', async () => {
  const image = {
    messaging_product: 'whatsapp',
    to: '+447700900053',
    type: 'image',
    image: { link: 'https://x.example/a.png' },
  };
  const id = await idOf(send(image));
  const textId = await idOf(send(textTo('+447700900053')));
  await waitFor(() => statusesOf(id).length > 0 && statusesOf(textId).length > 0);
  expect(statusesOf(id)).toMatchObject([{ status: 'failed', errors: [{ code: 131053 }] }]);
  expect(statusesOf(textId)[0]).toMatchObject({ status: 'sent' });
});

test('a template to +447700900132 is held, then failed with 132015', async () => {
  const answer = await sendOffer('+447700900132');
  expect(answer.at('messages.0.message_status')).toBe('held_for_quality_assessment');
  const id = answer.at('messages.0.id');
  await waitFor(() => statusesOf(id).length > 0);
  expect(statusesOf(id)).toMatchObject([{ errors: [{ code: 132015 }] }]);
});

test('+447700900504 takes the message and cuts the connection', async () => {
  await expect(send(textTo('+447700900504'))).rejects.toThrow('fetch failed');
  const listed = await started.control('GET', 'whatsapp/messages?recipient=447700900504');
  expect(listed.at('messages')).toHaveLength(1);
});

test.each([
  ['600', []],
  ['601', ['sent']],
  ['602', ['sent', 'read']],
  ['603', ['read', 'read', 'delivered', 'delivered', 'sent', 'sent']],
])('+447700900%s reports %j', async (last, expected) => {
  const id = await idOf(send(textTo(`+447700900${last}`)));
  const later = await idOf(send(textTo('+447700900201')));
  await waitFor(() => statusesOf(id).length >= expected.length && statusesOf(later).length >= 3);
  expect(statusesOf(id).map((status) => status['status'])).toEqual(expected);
});

test('+447700900700 appears without a phone number', async () => {
  const id = await idOf(send(textTo('+447700900700')));
  await waitFor(() => statusesOf(id).length > 0);
  expect(statusesOf(id)[0]).toMatchObject({ recipient_user_id: expect.stringMatching(/^GB\.\d+$/) });
  expect(statusesOf(id)[0]).not.toHaveProperty('recipient_id');
});

test('+447700900800 and +447700900802 answer by themselves', async () => {
  await send(textTo('+447700900800', 'Are you there?'));
  await send(textTo('+447700900802', 'News'));
  const texts = () => receiver.received.map(({ at }) => at(`${value}.messages.0.text.body`));
  await waitFor(() => texts().includes('Are you there?') && texts().includes('STOP'));
  expect(texts()).toEqual(expect.arrayContaining(['Are you there?', 'STOP']));
});

test('every number of the list is a different one', () => {
  const numbers = listMagicNumbers().map((row) => row.number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.length).toBeGreaterThan(60);
});
