import { afterEach, beforeEach, expect, test } from 'vitest';
import { objectsOf, type JsonObject } from '../src/core/json.ts';
import {
  number,
  startReceiver,
  startSandbox,
  textTo,
  waitFor,
  type Receiver,
  type StartedSandbox,
} from './started-sandbox.ts';

const ANN = '447700900201';
let receiver: Receiver;
let started: StartedSandbox;
beforeEach(async () => {
  receiver = await startReceiver();
  started = await startSandbox({
    whatsappCallbackUrl: receiver.url,
    behaviour: { deliveredRate: 1, readRate: 0, statusDelayMs: 0, windowError: 'sync' },
  });
});
afterEach(async () => {
  await started.close();
  await receiver.close();
});

const inbound = (body: object) => started.control('POST', 'whatsapp/inbound', { from: ANN, ...body });
const write = async (message: object) => String((await inbound({ message })).at('messageId'));
const send = (body: JsonObject, to = ANN) =>
  started.graph('POST', `${number}/messages`, { ...textTo(`+${to}`), ...body });
const act = (name: string, body: object = {}, who = ANN) =>
  started.control('POST', `whatsapp/users/${who}/${name}`, body);
const look = async (who = ANN) => {
  const answer = await started.control('GET', `page/phone?number=${number}&user=${who}`);
  return { owner: answer.at('owner') as JsonObject, bubbles: objectsOf(answer.at('messages')) }; // our own page
};
const statusesOf = () => receiver.statuses().map(({ status }) => status);
const lastMessage = () =>
  receiver.received.flatMap(({ at }) => objectsOf(at('entry.0.changes.0.value.messages'))).at(-1);

test('shows reactions, edits and deletions in the place of their message', async () => {
  const first = await write({ type: 'text', text: { body: 'Helo' } });
  const second = await write({ type: 'text', text: { body: 'Wrong chat' } });
  const ours = String((await send({ context: { message_id: first } })).at('messages.0.id'));
  await send({ type: 'reaction', reaction: { message_id: first, emoji: '❤️' } });
  await write({ type: 'reaction', reaction: { message_id: ours, emoji: '👍' } });
  await write({
    type: 'edit',
    edit: { original_message_id: first, message: { type: 'text', text: { body: 'Hello' } } },
  });
  await write({ type: 'revoke', revoke: { original_message_id: second } });
  expect((await look()).bubbles).toMatchObject([
    { messageId: first, body: 'Hello', isEdited: true, reactions: [{ emoji: '❤️', isMine: false }] },
    { messageId: second, isDeleted: true },
    { messageId: ours, quote: { isMine: true, text: 'Hello' }, reactions: [{ emoji: '👍', isMine: true }] },
  ]);
  await write({ type: 'reaction', reaction: { message_id: ours } });
  expect((await look()).bubbles.at(2)).toMatchObject({ reactions: [] });
});

test.each<[string, JsonObject, JsonObject]>([
  [
    'buttons',
    { type: 'button', action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'Yes' } }] } },
    {
      buttons: [
        { text: 'Yes', answer: { interactive: { type: 'button_reply', button_reply: { id: 'a' } } } },
      ],
    },
  ],
  [
    'a list',
    {
      type: 'list',
      action: { button: 'Open', sections: [{ title: 'Fast', rows: [{ id: 'd', title: 'Today' }] }] },
    },
    {
      list: { label: 'Open', sections: [{ title: 'Fast', rows: [{ text: 'Today' }] }] },
    },
  ],
  [
    'a form',
    {
      type: 'flow',
      action: { name: 'flow', parameters: { flow_id: '5', flow_cta: 'Book', flow_token: 't' } },
    },
    {
      buttons: [{ text: 'Book', question: 'flow', about: { token: 't' } }],
    },
  ],
  [
    'a product',
    { type: 'product', action: { catalog_id: '6', product_retailer_id: 'SKU1' } },
    {
      products: [{ id: 'SKU1' }],
      buttons: [{ question: 'order', about: { catalogId: '6', products: ['SKU1'] } }],
    },
  ],
  [
    'a request for the place',
    { type: 'location_request_message', action: { name: 'send_location' } },
    {
      buttons: [{ question: 'location' }],
    },
  ],
])('shows %s so that the customer can answer', async (_name, interactive, shown) => {
  await write({ type: 'text', text: { body: 'Hi' } });
  const body = { text: 'Choose' };
  expect((await send({ type: 'interactive', interactive: { ...interactive, body } })).status).toBe(200);
  expect((await look()).bubbles.at(-1)).toMatchObject({ body: 'Choose', ...shown });
});

test('shows places, contact cards, quotes of adverts and what was forwarded', async () => {
  await inbound({ text: 'Look', context: { forwarded: true } });
  await write({
    type: 'text',
    text: { body: 'Hi' },
    referral: { source_url: 'https://ads.example/1', source_type: 'ad', headline: 'Summer', body: '20%' },
  });
  await send({ type: 'location', location: { latitude: 1, longitude: 2, name: 'Shop' } });
  await send({
    type: 'contacts',
    contacts: [{ name: { formatted_name: 'Bo Lee', first_name: 'Bo' }, phones: [{ phone: '+44 1' }] }],
  });
  expect((await look()).bubbles).toMatchObject([
    { forwarded: 'once' },
    { advert: { headline: 'Summer' } },
    { place: { name: 'Shop', latitude: 1 } },
    { cards: [{ name: 'Bo Lee', lines: ['+44 1'] }] },
  ]);
});

test('the business reads and types: ticks on all until there, and for 25 seconds a line', async () => {
  const first = await write({ type: 'text', text: { body: 'One' } });
  const second = await write({ type: 'text', text: { body: 'Two' } });
  await waitFor(async () => (await look()).bubbles.every(({ state }) => state === 'delivered'));
  const read = (body: object) =>
    started.graph('POST', `${number}/messages`, { messaging_product: 'whatsapp', status: 'read', ...body });
  const typing = { typing_indicator: { type: 'text' } };
  expect((await read({ message_id: second, ...typing })).body).toEqual({ success: true });
  const seen = await look();
  expect(seen.bubbles.map(({ state }) => state)).toEqual(['read', 'read']);
  const left = Number(seen.owner['typingUntil']) - Date.now();
  expect(left).toBeGreaterThan(20_000);
  expect(left).toBeLessThanOrEqual(25_000);
  await send({});
  expect((await look()).owner).toMatchObject({ typingUntil: 0 });
  const codes = await Promise.all(
    [
      {},
      { message_id: 'wamid.none' },
      { message_id: first, typing_indicator: { type: 'voice' } },
      { message_id: first, status: 'seen' },
      { message_id: first, messaging_product: 'other' },
    ].map(async (body) => (await read(body)).at('error.code')),
  );
  expect(codes).toEqual([131008, 131009, 100, 100, 100]);
});

test('a message of another number cannot be read', async () => {
  const made = await started.control('POST', 'whatsapp/numbers', { displayPhoneNumber: '+44 7700 900101' });
  const id = await write({ type: 'text', text: { body: 'Hi' } });
  const other = await started.graph(
    'POST',
    `${String(made.at('phoneNumberId'))}/messages`,
    { messaging_product: 'whatsapp', status: 'read', message_id: id },
    { authorization: `Bearer ${String(made.at('accessToken'))}` },
  );
  expect(other.at('error.code')).toBe(131009);
});

test('opening the chat tells once that all was read, unless the phone keeps it for itself', async () => {
  await write({ type: 'text', text: { body: 'Hi' } });
  await send({});
  await waitFor(() => statusesOf().length === 2);
  expect([(await act('read')).at('told'), (await act('read')).at('told')]).toEqual([1, 0]);
  await waitFor(() => statusesOf().length === 3);
  expect(statusesOf()).toEqual(['sent', 'delivered', 'read']);
  expect((await act('receipts', { on: 'no' })).status).toBe(400);
  await act('receipts', { on: false });
  await started.control('POST', 'whatsapp/behaviour', { readRate: 1 });
  await send({});
  await waitFor(() => statusesOf().length === 5);
  expect((await act('read')).at('told')).toBe(0);
  await waitFor(() => started.sandbox.whatsapp.statuses.pending === 0);
  expect(statusesOf().filter((status) => status === 'read')).toHaveLength(1);
});

test('a voice message that is heard is read and played; nothing else is played', async () => {
  await write({ type: 'text', text: { body: 'Hi' } });
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('file', new Blob(['OggS'], { type: 'audio/ogg' }), 'a.ogg');
  const id = String((await started.graph('POST', `${number}/media`, form)).at('id'));
  const voice = await send({ type: 'audio', audio: { id, voice: true } });
  const text = await send({});
  await waitFor(() => statusesOf().length === 4);
  await act('played', { messageId: voice.at('messages.0.id') });
  await waitFor(() => statusesOf().length === 6);
  expect(statusesOf().slice(4)).toEqual(['read', 'played']);
  expect((await act('played', { messageId: text.at('messages.0.id') })).status).toBe(400);
  expect((await act('played', { messageId: 'wamid.none' })).status).toBe(400);
});

test('somebody who hides their number is told and written to by user id', async () => {
  await act('profile', { name: 'Ann', username: '@ann', hidesNumber: true });
  await inbound({ text: 'Hi' });
  await waitFor(() => receiver.received.length === 1);
  const value = receiver.received[0]?.at('entry.0.changes.0.value') as JsonObject; // what was received
  const userId = objectsOf(value['contacts'])[0]?.['user_id'];
  expect(value['contacts']).toEqual([{ profile: { name: 'Ann', username: '@ann' }, user_id: userId }]);
  expect(objectsOf(value['messages'])[0]).not.toHaveProperty('from');
  const { to: _to, ...message } = textTo('');
  const sent = await started.graph('POST', `${number}/messages`, { ...message, recipient: userId });
  expect(sent.at('contacts')).toEqual([{ input: userId, user_id: userId }]);
  expect((await look()).bubbles).toMatchObject([{ body: 'Hi' }, { body: 'Hello', direction: 'out' }]);
  expect((await act('profile', { hidesNumber: 'yes' })).status).toBe(400);
});

test('a new number is told, and the chat goes on under it', async () => {
  await inbound({ text: 'Hi', name: 'Ann' });
  const before = (await look()).owner['userId'];
  expect((await act('number', { to: '+44 7700 900299' })).at('number')).toBe('447700900299');
  await waitFor(() => receiver.received.length === 2);
  expect(lastMessage()).toMatchObject({
    ...{ from: ANN, from_user_id: before, type: 'system' },
    system: { type: 'user_changed_number', wa_id: '447700900299' },
  });
  expect((await send({}, '447700900299')).status).toBe(200);
  const { owner, bubbles } = await look('447700900299');
  expect([owner['name'], owner['userId'], bubbles.length]).toEqual(['Ann', before, 3]);
  expect((await look()).bubbles).toEqual([]);
  expect((await act('number', { to: '12' })).status).toBe(400);
});

test('another user id is told and used from then on', async () => {
  await inbound({ text: 'Hi' });
  const before = (await look()).owner['userId'];
  const after = (await act('user-id')).at('userId');
  await waitFor(() => receiver.received.length === 2);
  expect(lastMessage()).toMatchObject({
    from_user_id: before,
    system: { type: 'user_changed_user_id', user_id: after },
  });
  await inbound({ text: 'Again' });
  await waitFor(() => receiver.received.length === 3);
  expect(lastMessage()).toMatchObject({ from: ANN, from_user_id: after });
  expect((await act('user-id', { userId: 'nobody' })).status).toBe(400);
});

test('a business that was blocked reaches nobody, and is not told', async () => {
  await inbound({ text: 'Hi' });
  await waitFor(() => receiver.received.length === 1);
  await act('block', { blocked: true, reported: true });
  await send({});
  await waitFor(() => statusesOf().length === 1);
  expect(receiver.statuses()[0]).toMatchObject({ status: 'failed', errors: [{ code: 131026 }] });
  await act('block', { blocked: false });
  await send({});
  await waitFor(() => statusesOf().length === 3);
  expect(receiver.received.filter(({ at }) => at('entry.0.changes.0.value.messages'))).toHaveLength(1);
  expect((await act('block')).status).toBe(400);
});
