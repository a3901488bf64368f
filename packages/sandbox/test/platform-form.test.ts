import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, listOf, type JsonObject } from '../src/core/json.ts';
import { startReceiver, startSandbox, type Receiver, type StartedSandbox } from './started-sandbox.ts';

/** What the page of the phones sends; its scripts are plain files, without types. */
interface Samples {
  place: JsonObject;
  advert: JsonObject;
  unreadables: Record<string, JsonObject>;
  contact(name: string, phone: string): JsonObject;
  order(catalogId: string, products: object[]): JsonObject;
  flowAnswer(token: string, name: string, body: string, answers: object): JsonObject;
  callPermission(isGranted: boolean): JsonObject;
}
const address = new URL('../src/page/scripts/samples.js', import.meta.url).href;
const samples = (await import(address)) as Samples;

const FIXTURES = '../../providers/src/whatsapp-cloud/webhooks/fixtures';
const context = { from: '447700900100', id: 'wamid.ours' };
const message = (content: JsonObject, more: object = {}) => ({ message: content, ...more });
const reply = (type: string, content: object) => ({
  type: 'interactive',
  interactive: { type, [type]: content },
});

/** Each kind as the platform sends it, and what the phone does to send the same. */
const kinds: [fixture: string, input: object][] = [
  ['text', { text: 'Do you open on Sunday?' }],
  ['image', { media: { sample: 'photo', caption: 'The dent' } }],
  ['video', { media: { sample: 'video' } }],
  ['audio', { media: { sample: 'voice' } }],
  ['document', { media: { sample: 'document', filename: 'order.pdf', caption: 'My order' } }],
  ['sticker', { media: { sample: 'sticker', animated: true } }],
  ['location', message(samples.place)],
  ['contacts', message(samples.contact('Bo', '+44 7700 900301'))],
  ['button-reply', message(reply('button_reply', { id: 'keep', title: 'Keep' }), { context })],
  ['list-reply', message(reply('list_reply', { id: 'd1', title: 'Today', description: 'x' }), { context })],
  ['flow-reply', message(samples.flowAnswer('t', 'flow', 'Sent', { rating: '4' }), { context })],
  ['call-permission-reply', message(samples.callPermission(true), { context })],
  ['template-button', message({ type: 'button', button: { payload: 'A', text: 'B' } }, { context })],
  ['reaction', message({ type: 'reaction', reaction: { message_id: 'wamid.ours', emoji: '👍' } })],
  ['reaction-removed', message({ type: 'reaction', reaction: { message_id: 'wamid.ours' } })],
  ['order', message(samples.order('6000', [{ id: 'SKU1', quantity: 2, price: 9.5 }]))],
  [
    'edit',
    message({
      type: 'edit',
      edit: { original_message_id: 'wamid.old', message: { type: 'text', text: { body: 'new' } } },
    }),
  ],
  ['revoke', message({ type: 'revoke', revoke: { original_message_id: 'wamid.old' } })],
  ['unsupported', message(samples.unreadables['Poll'] ?? {})],
  ['advert', message(samples.advert)],
  ['forwarded', { text: 'Look', context: { frequently_forwarded: true } }],
];

let receiver: Receiver;
let started: StartedSandbox;
beforeAll(async () => {
  receiver = await startReceiver();
  started = await startSandbox({ whatsappCallbackUrl: receiver.url });
  await act('profile', { name: 'Ann Lee', username: '@annlee' });
});
afterAll(async () => {
  await started.close();
  await receiver.close();
});

const act = (name: string, body: object) =>
  started.control('POST', `whatsapp/users/447700900201/${name}`, body);

async function nextWebhook(cause: () => Promise<unknown>): Promise<unknown> {
  const position = receiver.received.length;
  await cause();
  await receiver.waitFor(() => receiver.received.length > position);
  return JSON.parse(receiver.received[position]?.raw.toString() ?? '');
}

test.each(kinds)('sends a %s in the form of the platform', async (fixture, input) => {
  const sent = await nextWebhook(() =>
    started.control('POST', 'whatsapp/inbound', { from: '+447700900201', ...input }),
  );
  expect(partsOf(sent)).toEqual(formOf(`message-${fixture}`));
});

test('tells preferences and changes of a person in the form of the platform', async () => {
  expect(partsOf(await nextWebhook(() => act('preference', { value: 'stop' })))).toEqual(
    formOf('preference-stop'),
  );
  expect(partsOf(await nextWebhook(() => act('user-id', {})))).toEqual(
    formOf('message-system-user-id-changed'),
  );
  expect(partsOf(await nextWebhook(() => act('number', { to: '447700900299' })))).toEqual(
    formOf('message-system-number-changed'),
  );
  await started.control('POST', 'whatsapp/users/447700900201/profile', {
    username: '@ann',
    hidesNumber: true,
  });
  const hidden = await nextWebhook(() =>
    started.control('POST', 'whatsapp/inbound', { from: '447700900201', text: 'Hi' }),
  );
  expect(partsOf(hidden)).toEqual(formOf('message-hidden-number'));
});

/** Parts that the reference calls optional: they may stand in one and not in the other. */
const OPTIONAL = /\.(url|caption|parent_user_id|welcome_message(\.text)?)$/;

function formOf(fixture: string): string[] {
  return partsOf(JSON.parse(readFileSync(new URL(`${FIXTURES}/${fixture}.json`, import.meta.url), 'utf8')));
}

/** The address and type of every value. */
function partsOf(value: unknown, path = ''): string[] {
  if (OPTIONAL.test(path)) return [];
  if (isObject(value))
    return Object.entries(value)
      .flatMap(([key, inner]) => partsOf(inner, `${path}.${key}`))
      .toSorted();
  if (Array.isArray(value)) return listOf(value).flatMap((inner) => partsOf(inner, `${path}[]`));
  return [`${path}: ${typeof value}`];
}
