import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { account, number, startSandbox, templateTo, textTo, type StartedSandbox } from './started-sandbox.ts';

let started: StartedSandbox;
beforeAll(async () => {
  started = await startSandbox();
});
afterAll(() => started.close());
beforeEach(() => started.control('POST', 'reset'));

const send = (body: unknown, headers?: Record<string, string>) =>
  started.graph('POST', `${number}/messages`, body, headers);
const interactive = (content: unknown) => ({
  ...{ messaging_product: 'whatsapp', to: '+447700900201', type: 'interactive' },
  interactive: content,
});

test('accepts a template and lists it with its tag', async () => {
  const answer = await send(templateTo('+44 7700 900201'));
  expect(answer.body).toMatchObject({
    messaging_product: 'whatsapp',
    contacts: [{ input: '+44 7700 900201', wa_id: '447700900201' }],
    messages: [{ id: expect.stringMatching(/^wamid\./), message_status: 'accepted' }],
  });
  expect(answer.headers.get('facebook-api-version')).toBe('v26.0');
  const listed = await started.control('GET', 'whatsapp/messages');
  expect(listed.at('messages')).toMatchObject([
    {
      id: answer.at('messages.0.id'),
      recipient: '447700900201',
      biz_opaque_callback_data: 'tag:+44 7700 900201',
    },
  ]);
});

test('counts accepted messages, recipients and doubles', async () => {
  for (const last of ['201', '202', '202']) await send(templateTo(`+447700900${last}`));
  const stats = await started.control('GET', 'whatsapp/stats');
  expect(stats.body).toMatchObject({
    accepted: 3,
    distinctRecipients: 2,
    byRecipientMax: 2,
    byTagMax: 2,
    maxInAnySecond: 3,
  });
});

test('pages through the list of messages', async () => {
  for (const last of ['201', '202', '203']) await send(templateTo(`+447700900${last}`));
  const first = await started.control('GET', 'whatsapp/messages?limit=2');
  expect(first.at('messages')).toHaveLength(2);
  const second = await started.control('GET', `whatsapp/messages?limit=2&after=${String(first.at('next'))}`);
  expect([second.at('messages.0.recipient'), second.at('next')]).toEqual(['447700900203', null]);
});

test.each([
  ['no token', { authorization: '' }, 401, 104, undefined],
  ['an unknown token', { authorization: 'Bearer nobody' }, 401, 190, undefined],
  ['an expired token', { authorization: 'Bearer sandbox-expired-token' }, 401, 190, 463],
  ['a token without permission', { authorization: 'Bearer sandbox-powerless-token' }, 403, 10, undefined],
])('refuses %s before anything else', async (_name, headers, status, code, subcode) => {
  const answer = await send('not even JSON', headers);
  expect([answer.status, answer.at('error.code'), answer.at('error.error_subcode')]).toEqual([
    status,
    code,
    subcode,
  ]);
});

test.each<[string, unknown, number]>([
  ['no JSON', '{', 100],
  ['no messaging_product', { to: '+447700900201' }, 100],
  ['no recipient', { messaging_product: 'whatsapp', type: 'text', text: { body: 'x' } }, 100],
  ['a recipient that is no number', textTo('me'), 131009],
  ['the sender as recipient', textTo('+447700900100'), 131021],
  ['an unknown type', { messaging_product: 'whatsapp', to: '+447700900201', type: 'poll', poll: {} }, 131051],
  ['a text without body', { ...textTo('+447700900201'), text: {} }, 131008],
  ['a text of 4097 characters', textTo('+447700900201', 'x'.repeat(4097)), 100],
  ['a tag of 513 characters', { ...textTo('+447700900201'), biz_opaque_callback_data: 'x'.repeat(513) }, 100],
  [
    'an image with id and link',
    { ...textTo('+447700900201'), type: 'image', image: { id: '1', link: 'https://a' } },
    131009,
  ],
  ['media of nobody', { ...textTo('+447700900201'), type: 'image', image: { id: '123' } }, 131009],
  [
    'a latitude of 91',
    { ...textTo('+447700900201'), type: 'location', location: { latitude: 91, longitude: 0 } },
    131009,
  ],
  [
    'four buttons',
    interactive({ type: 'button', body: { text: 'x' }, action: { buttons: [1, 2, 3, 4] } }),
    131009,
  ],
  [
    'a button title of 21 characters',
    interactive({
      ...{ type: 'button', body: { text: 'x' } },
      action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'x'.repeat(21) } }] },
    }),
    131009,
  ],
  [
    'a list without rows',
    interactive({ type: 'list', body: { text: 'x' }, action: { button: 'b', sections: [{}] } }),
    131009,
  ],
  ['an unknown template', templateTo('+447700900201', 'nothing_here'), 132001],
  ['another language', templateTo('+447700900201', 'hello_world', [], 'de'), 132001],
])('refuses %s', async (_name, body, code) => {
  const answer = await send(body);
  expect(answer.at('error.code')).toBe(code);
});

test('free text fails outside the 24 hours and passes inside', async () => {
  const states = async () => {
    const listed = await started.control('GET', 'whatsapp/messages?recipient=447700900201');
    return (listed.at('messages') as { failCode: number | null }[]).map((message) => message.failCode); // listed above
  };
  await send(textTo('+447700900201'));
  await started.control('POST', 'whatsapp/inbound', { from: '+447700900201', text: 'Hi' });
  await send(textTo('+447700900201'));
  expect(await states()).toEqual([131047, null]);
});

test('refuses free text at once when set to', async () => {
  await started.control('POST', 'whatsapp/behaviour', { windowError: 'sync' });
  expect((await send(textTo('+447700900201'))).at('error.code')).toBe(131047);
});

test('holds the throughput of a number and counts every arrival', async () => {
  await started.control('POST', 'whatsapp/behaviour', { throughputMps: 20, throttleStatus: 429 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, position) => send(templateTo(`+4477009${String(10_000 + position)}`))),
  );
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect(refused[0]?.at('error.code')).toBe(130429);
  const stats = await started.control('GET', 'whatsapp/stats');
  expect(stats.at('rejectedByCode')).toEqual({ 130429: refused.length });
  expect(stats.at('maxInAnySecond')).toBe(40);
});

test('refuses the 46th message to one person in a row', async () => {
  await started.control('POST', 'whatsapp/behaviour', { throughputMps: 0 });
  const codes: unknown[] = [];
  for (let i = 0; i < 46; i++) codes.push((await send(templateTo('+447700900201'))).at('error.code'));
  expect(codes.filter((code) => code !== undefined)).toEqual([131056]);
});

test('refuses more people than the tier of the number allows', async () => {
  await started.control('POST', `whatsapp/numbers/${number}`, { limit: 'TIER_50' });
  await started.control('POST', 'whatsapp/behaviour', { throughputMps: 0 });
  const answers = [];
  for (let i = 0; i < 51; i++) answers.push(await send(templateTo(`+4477009${String(20_000 + i)}`)));
  expect(answers.map((answer) => answer.at('error.code')).filter(Boolean)).toEqual([131048]);
});

test('answers queued and forced errors, then goes on', async () => {
  await started.control('POST', 'whatsapp/errors', { code: 131057, count: 2 });
  const codes = [];
  for (let i = 0; i < 3; i++) codes.push((await send(templateTo('+447700900201'))).at('error.code'));
  expect(codes).toEqual([131057, 131057, undefined]);
  const forced = await send(templateTo('+447700900201'), { 'x-sandbox-force-error': '80007' });
  expect(forced.at('error.code')).toBe(80007);
});

test('cuts a connection before and after it took the message', async () => {
  await started.control('POST', 'whatsapp/errors', { kind: 'cut' });
  await expect(send(templateTo('+447700900201'))).rejects.toThrow('fetch failed');
  await started.control('POST', 'whatsapp/errors', { kind: 'accept-then-cut' });
  await expect(send(templateTo('+447700900202'))).rejects.toThrow('fetch failed');
  const listed = await started.control('GET', 'whatsapp/messages');
  expect(listed.at('messages')).toMatchObject([{ recipient: '447700900202' }]);
});

test('marks a message of a customer as read', async () => {
  const inbound = await started.control('POST', 'whatsapp/inbound', { from: '+447700900201', text: 'Hi' });
  const read = { messaging_product: 'whatsapp', status: 'read', message_id: inbound.at('messageId') };
  expect((await send(read)).body).toEqual({ success: true });
  expect((await send({ ...read, message_id: 'wamid.other' })).at('error.code')).toBe(131009);
});

test('takes only marketing templates on the marketing endpoint', async () => {
  const answer = await started.graph('POST', `${number}/marketing_messages`, templateTo('+447700900201'));
  expect(answer.at('error.code')).toBe(131055);
});

test('other accounts get their own ids and do not see each other', async () => {
  const made = await started.control('POST', 'whatsapp/numbers', {
    ...{ phoneNumberId: '200000000000077', businessAccountId: '100000000000077', appId: '300000000000077' },
    ...{ accessToken: 'other-token', displayPhoneNumber: '+44 7700 900177' },
  });
  expect(made.at('phoneNumberId')).toBe('200000000000077');
  const own = { authorization: 'Bearer other-token' };
  expect(
    (await started.graph('POST', '200000000000077/messages', templateTo('+447700900201'), own)).status,
  ).toBe(200);
  expect((await send(templateTo('+447700900201'), own)).at('error.error_subcode')).toBe(33);
  expect((await started.graph('GET', account, undefined, own)).at('error.error_subcode')).toBe(33);
});

test('refuses a behaviour that it does not understand', async () => {
  const answer = await started.control('POST', 'whatsapp/behaviour', { deliveredRate: 2, speed: 'fast' });
  expect([answer.status, answer.at('error.message')]).toEqual([400, 'Not understood: deliveredRate, speed']);
});
