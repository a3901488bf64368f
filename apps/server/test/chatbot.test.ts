import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

const FROM = '4915112345678';
let host: HostFixture;

beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

type Phone = { messages: { type: string; content: { body?: string } }[] };
const onPhone = async () =>
  (await host.sandbox<Phone>(`/_sandbox/whatsapp/messages?recipient=%2B${FROM}&limit=10`)).messages;

it('a customer writes, the bot answers on their phone by flow and by rule, and an agent sees why', async () => {
  const { body: flow } = await host.call<{ id: string }>('POST', '/api/bot-flows', {
    ...{ name: 'Hours', trigger: { type: 'keyword', value: 'opening hours|open' } },
    responses: [
      { type: 'text', content: 'We are open from 9 to 17.' },
      { type: 'quick_reply', content: 'Anything else?', quickReplies: ['Prices', 'No, thanks'], delay: 100 },
    ],
  });
  expect((await host.call('PUT', `/api/bot-flows/${flow.id}/active`, { isActive: true })).status).toBe(200);
  const on = await host.call('PUT', '/api/bot/settings', { isEnabled: true, responseDelay: 100, version: 0 });
  expect(on.status).toBe(200);

  await host.sandbox('/_sandbox/whatsapp/inbound', {
    from: FROM,
    name: 'Jana',
    text: 'What are your openning hours?',
  });
  const first = await eventually(onPhone, (messages) => messages.length === 2);
  expect(first.map(({ type }) => type).toSorted()).toEqual(['interactive', 'text']);

  await host.sandbox('/_sandbox/whatsapp/inbound', { from: FROM, name: 'Jana', text: 'I want an agent' });
  await eventually(onPhone, (messages) => messages.length === 3);
  type Listed = { items: { conversation: { id: string }; status: string; reason: string }[] };
  const { body: bots } = await host.call<Listed>('GET', '/api/bot/conversations');
  // The conversation of the sample is older.
  expect(bots.items[0]).toMatchObject({ status: 'waiting', reason: 'keyword' });
  const path = `/api/bot/answers?conversationId=${bots.items[0]!.conversation.id}`;
  const { body: why } = await host.call<{ items: object[] }>('GET', path);
  expect(why.items).toMatchObject([
    { rule: 'handoff', keyword: 'agent', handoff: 'keyword', question: 'I want an agent' },
    {
      ...{ rule: 'flow', keyword: 'opening hours', flow: { id: flow.id, name: 'Hours' } },
      answers: [{ text: 'We are open from 9 to 17.' }, { text: 'Anything else?' }],
    },
  ]);
});
