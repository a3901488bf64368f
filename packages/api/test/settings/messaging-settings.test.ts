import { expect, test } from 'vitest';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';
import type { ApiResponse } from '../api-fixture.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, query } = await openArrivals();
const agent = await api.as('agent');

const codeOf = async (response: ApiResponse) =>
  [response.status, (await response.json<{ error: { code: string } }>()).error.code].join(' ');
type Settings = { version: number; autoReply: Record<string, unknown>; kindLimits: object };
const read = async () => (await admin.get('/api/settings/messaging')).json<Settings>();
const save = async (change: object) =>
  admin.put('/api/settings/messaging', { version: (await read()).version, ...change });
const reply = (change: object) => ({
  autoReply: {
    ...{ isEnabled: true, message: 'We are away.', when: 'always', pauseHours: 12 },
    ...change,
  },
});
const listReplies = () =>
  query<{ text: string; author: string; purpose: string }>(
    `SELECT text, author, purpose FROM messages WHERE direction = 'out' ORDER BY occurred_at`,
  );
const settled = () => api.facts.catchUp();

test('have the defaults of the specification, and change by parts', async () => {
  expect(await read()).toMatchObject({
    autoReply: { isEnabled: true, message: "Thanks for your message! We'll get back to you soon." },
    messageLimits: { isEnabled: false, perMinute: 10, perDay: 1000 },
    quietHours: null,
    businessHours: null,
    sendReadReceipts: true,
  });
  const { version } = await read();
  const quietHours = { from: '21:00', to: '09:00', timeZone: 'UTC' };
  expect(await (await save({ quietHours, showTyping: false })).json()).toMatchObject({
    ...{ version: version + 1, quietHours, showTyping: false, sendReadReceipts: true },
  });
  // A kind with limits of its own has its defaults, and is changed beside the limits of all messages.
  const { kindLimits } = await read();
  expect(kindLimits).toEqual({ rcs: { isEnabled: false, perMinute: 100, perDay: 10_000 } });
  const own = { rcs: { isEnabled: true, perMinute: 20, perDay: 300 } };
  expect(await (await save({ kindLimits: own })).json()).toMatchObject({
    ...{ kindLimits: own, messageLimits: { isEnabled: false, perMinute: 10, perDay: 1000 } },
  });
  const stale = await admin.put('/api/settings/messaging', { version, quietHours: null });
  expect(await codeOf(stale)).toBe('409 settings_changed');
  expect((await agent.get('/api/settings/messaging')).status).toBe(403);
});

const week = (...hours: { from: string; to: string }[]) => Array.from({ length: 7 }, () => hours);
const hoursOf = (days: object[], exceptions: object[] = []) => ({
  businessHours: { timeZone: 'UTC', days, exceptions },
});
const morning = { from: '09:00', to: '12:00' };
test.each([
  ['no words to answer with', reply({ message: '  ' })],
  ['an answer without end', reply({ message: 'a'.repeat(1001) })],
  ['no pause', reply({ pauseHours: 0 })],
  ['a limit of nothing', { messageLimits: { isEnabled: true, perMinute: 0, perDay: 1 } }],
  [
    'a limit of a kind that has none',
    { kindLimits: { pigeon: { isEnabled: true, perMinute: 5, perDay: 5 } } },
  ],
  ['a limit of nothing of a kind', { kindLimits: { rcs: { isEnabled: true, perMinute: 5, perDay: 0 } } }],
  ['half of a limit', { messageLimits: { isEnabled: true, perMinute: 5 } }],
  ['an hour that there is not', { quietHours: { from: '25:00', to: '09:00', timeZone: 'UTC' } }],
  [
    'a zone that there is not',
    { businessHours: { timeZone: 'Mars/Base', days: week(morning), exceptions: [] } },
  ],
  ['no day at all', hoursOf(week())],
  ['an end before the beginning', hoursOf(week({ from: '17:00', to: '09:00' }))],
  ['a span that begins within another', hoursOf(week(morning, { from: '11:00', to: '18:00' }))],
  [
    'hours of an exception that end before they begin',
    hoursOf(week(morning), [{ day: '2026-12-24', hours: [{ from: '12:00', to: '09:00' }] }]),
  ],
  [
    'two exceptions of one day',
    hoursOf(week(morning), [
      { day: '2026-12-24', hours: [] },
      { day: '2026-12-24', hours: [morning] },
    ]),
  ],
])('refuse %s', async (_, change) => {
  expect(await codeOf(await save(change))).toBe('422 invalid_input');
});

test('somebody who writes is answered once, and again only after the pause', async () => {
  await save(reply({}));
  const hello = said({ phone: PHONE }, 'Hello');
  await arrive(hello);
  await settled();
  expect(await listReplies()).toEqual([{ text: 'We are away.', author: 'system', purpose: 'automation' }]);
  // The platform tells it again, and they go on writing.
  await arrive(hello);
  await arrive(said({ phone: PHONE }, 'Is anybody there?'));
  await settled();
  expect(await listReplies()).toHaveLength(1);
  await query(`UPDATE messages SET occurred_at = occurred_at - interval '13 hours' WHERE direction = 'out'`);
  await arrive(said({ phone: PHONE }, 'Hello again'));
  await settled();
  expect(await listReplies()).toHaveLength(2);
});

test.each<[string, object, ReturnType<typeof said>[]]>([
  ['a word about consent', {}, [said({ phone: PHONE }, 'STOP')]],
  ['our own words', {}, [said({ phone: PHONE }, 'we are away.')]],
  ['what comes late', {}, [said({ phone: PHONE }, 'Hello', { occurredAt: Date.now() - 3_600_000 })]],
  ['what is switched off', { isEnabled: false }, [said({ phone: PHONE }, 'Hello')]],
])('%s is not answered', async (_, change, messages) => {
  await save(reply(change));
  await arrive(...messages);
  await settled();
  expect(await listReplies()).toEqual([]);
});

test('a word of the workspace ends consent, and is answered in its language', async () => {
  const words = { stop: ['Tschüss'], start: ['Hallo wieder'] };
  const none = { stop: [], start: [] };
  const silent = { en: '', es: '', fr: '', de: '', pt: '' };
  await save({
    ...reply({ isEnabled: false }),
    consentWords: { en: none, es: none, fr: none, de: words, pt: none },
    consentAnswers: { stop: { ...silent, de: 'Sie erhalten keine Werbung mehr.' }, start: silent },
  });
  const optedOut = () => query('SELECT FROM contacts WHERE opted_out_at IS NOT NULL');
  // The newest word counts, by the second in which it was said.
  const sayAgo = (text: string, seconds: number) =>
    arrive(said({ phone: PHONE }, text, { occurredAt: Date.now() - seconds * 1_000 }));
  await sayAgo('abmelden', 40);
  await settled();
  expect(await optedOut()).toHaveLength(0);
  await sayAgo('Tschüss!', 30);
  await settled();
  expect(await optedOut()).toHaveLength(1);
  expect(await listReplies()).toMatchObject([{ text: 'Sie erhalten keine Werbung mehr.' }]);
  await sayAgo('Hallo wieder', 20);
  await settled();
  expect(await optedOut()).toHaveLength(0);
  expect(await listReplies()).toHaveLength(1);
  // Whatever a workspace made of its words.
  await sayAgo('STOP', 10);
  expect(await optedOut()).toHaveLength(1);
  await save({ consentWords: null });
});

test('only the first message is, where the workspace wants that', async () => {
  await save(reply({ when: 'first_message' }));
  await arrive(said({ phone: PHONE }, 'Hello'));
  await settled();
  expect(await listReplies()).toHaveLength(1);
  await query(`DELETE FROM messages WHERE direction = 'out'`);
  await arrive(said({ phone: PHONE }, 'Hello again'));
  await settled();
  expect(await listReplies()).toEqual([]);
});

test('who begins with two messages at once is answered as well', async () => {
  await save(reply({ when: 'first_message' }));
  const at = Date.now() - 5_000;
  await arrive(
    said({ phone: PHONE }, 'Hello', { occurredAt: at }),
    said({ phone: PHONE }, 'Are you open today?', { occurredAt: at + 2_000 }),
  );
  await settled();
  expect(await listReplies()).toHaveLength(1);
});

test('a word about consent is answered whatever comes with it, and nothing else with it', async () => {
  const silent = { en: '', es: '', fr: '', de: '', pt: '' };
  const consentAnswers = { stop: { ...silent, en: 'No more marketing.' }, start: silent };
  await save({ ...reply({}), consentAnswers });
  const at = Date.now() - 5_000;
  await arrive(
    said({ phone: PHONE }, 'STOP', { occurredAt: at }),
    said({ phone: PHONE }, 'Where is my order?', { occurredAt: at + 2_000 }),
  );
  await settled();
  expect(await listReplies()).toMatchObject([{ text: 'No more marketing.' }]);
  await save({ consentAnswers: { stop: silent, start: silent } });
});
