import { afterEach, beforeEach, expect, test } from 'vitest';
import { objectsOf } from '../src/core/json.ts';
import {
  number,
  startReceiver,
  startSandbox,
  textTo,
  waitFor,
  type Receiver,
  type StartedSandbox,
} from './started-sandbox.ts';

let receiver: Receiver;
let started: StartedSandbox;
beforeEach(async () => {
  receiver = await startReceiver();
  started = await startSandbox({
    whatsappCallbackUrl: receiver.url,
    behaviour: { deliveredRate: 1, readRate: 0, statusDelayMs: 0, windowError: 'off' },
  });
});
afterEach(async () => {
  await started.close();
  await receiver.close();
});

const messages = () =>
  receiver.received.flatMap(({ at }) => objectsOf(at('entry.0.changes.0.value.messages')));

test.each([
  ['5511987650901', '551187650901'],
  ['525512345678', '5215512345678'],
  ['541123456789', '5491123456789'],
  ['2250707123456', '22507123456'],
  ['2290197000001', '22997000001'],
  // Theirs already, a landline, and a country with one spelling.
  ['551187650901', '551187650901'],
  ['551133334444', '551133334444'],
  ['447700900201', '447700900201'],
])('%s is known and answers as %s', async (dialled, waId) => {
  const sent = await started.graph('POST', `${number}/messages`, textTo(`+${dialled}`));
  expect(sent.at('contacts.0')).toEqual({ input: `+${dialled}`, wa_id: waId });
  await waitFor(() => receiver.statuses().length > 1);
  expect(new Set(receiver.statuses().map((status) => status['recipient_id']))).toEqual(new Set([waId]));
  await started.control('POST', 'whatsapp/inbound', { from: dialled, text: 'STOP' });
  await waitFor(() => messages().length > 0);
  expect(messages()).toMatchObject([{ from: waId }]);
  // One phone, however it is asked for; what was sent stands there as it was dialled.
  for (const user of [dialled, waId]) {
    const phone = await started.control('GET', `page/phone?number=${number}&user=${user}`);
    expect(objectsOf(phone.at('messages'))).toHaveLength(2);
  }
  const listed = await started.control('GET', `whatsapp/messages?recipient=${dialled}`);
  expect(listed.at('messages.0.to')).toBe(`+${dialled}`);
});

test('it can be switched off, and for a range of numbers alone', async () => {
  const waIdOf = async (dialled: string) =>
    (await started.graph('POST', `${number}/messages`, textTo(`+${dialled}`))).at('contacts.0.wa_id');
  await started.control('POST', 'whatsapp/behaviour', { otherSpellings: ['5531'] });
  expect(await waIdOf('5511987650901')).toBe('5511987650901');
  expect(await waIdOf('5531987650901')).toBe('553187650901');
  await started.control('POST', 'whatsapp/behaviour', { otherSpellings: [] });
  expect(await waIdOf('5531987650901')).toBe('5531987650901');
  const wrong = await started.control('POST', 'whatsapp/behaviour', { otherSpellings: ['BR'] });
  expect(wrong.status).toBe(400);
});
