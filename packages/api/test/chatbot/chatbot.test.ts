import { afterAll, expect, test } from 'vitest';
import type { BotFlow } from '../../src/chatbot/bot-flows-queries.ts';
import { openApiFixture, type ApiResponse } from '../api-fixture.ts';

const api = await openApiFixture();
const admin = await api.as('admin');
const agent = await api.as('agent');
const viewer = await api.as('viewer');
afterAll(() => api.close());

const codeOf = async (response: ApiResponse) =>
  [response.status, (await response.json<{ error: { code: string } }>()).error.code].join(' ');
const text = { type: 'text', content: 'Hello' };
const flow = (rest: object = {}) => ({
  ...{ name: 'Hours', trigger: { type: 'keyword', value: 'open|hours' }, responses: [text] },
  ...rest,
});

test('settings have the defaults of the specification, and change by parts', async () => {
  const read = await (await viewer.get('/api/bot/settings')).json();
  expect(read).toEqual({
    ...{ isEnabled: false, autoHandoffEnabled: true, responseDelay: 1000, maxConversationLength: 50 },
    ...{ tellsWaitingTime: true, waitingMessage: '', resumeAfterHours: 24, senders: [] },
    handoffKeywords: ['human', 'agent', 'representative', 'person'],
    fallbackMessage: "I'm sorry, I didn't understand that. Let me connect you with a human agent.",
    ...{ usesBusinessHours: false, closedMessage: '', confidenceThreshold: 0.7, businessFacts: '' },
    ...{ masksPersonalData: true, modelTokensPerDay: 500_000, modelAnswersPerConversation: 20, version: 0 },
  });
  const saved = await admin.put('/api/bot/settings', {
    ...{ version: 0, isEnabled: true, handoffKeywords: [' Help me ', 'help  me', 'boss'] },
  });
  expect(await saved.json()).toMatchObject({
    ...{ version: 1, isEnabled: true, handoffKeywords: ['Help me', 'boss'], responseDelay: 1000 },
  });
  const stale = await admin.put('/api/bot/settings', { version: 0, isEnabled: false });
  expect(await codeOf(stale)).toBe('409 bot_settings_changed');
  expect((await agent.put('/api/bot/settings', { version: 1, isEnabled: false })).status).toBe(403);
});

test.each([
  [{ responseDelay: 5001 }],
  [{ responseDelay: -1 }],
  [{ responseDelay: 0.5 }],
  [{ fallbackMessage: '  ' }],
  [{ maxConversationLength: 0 }],
  [{ confidenceThreshold: 0.75 }],
  [{ confidenceThreshold: 1.1 }],
  [{ handoffKeywords: ['!?'] }],
  [{ closedMessage: 'a'.repeat(1025) }],
])('settings refuse %j', async (change) =>
  expect(await codeOf(await admin.put('/api/bot/settings', { version: 1, ...change }))).toBe(
    '422 invalid_input',
  ),
);

test('a flow is made, changed, switched, ordered and deleted', async () => {
  const made = await (await agent.post('/api/bot-flows', flow())).json<BotFlow>();
  expect(made).toMatchObject({ isActive: false, priority: 1, version: 1, analytics: { triggered: 0 } });
  const other = await (await admin.post('/api/bot-flows', flow({ name: 'Other' }))).json<BotFlow>();
  const path = `/api/bot-flows/${made.id}`;
  const changed = await admin.put(path, {
    ...flow({
      name: 'Opening hours',
      responses: [
        { ...text, delay: 500 },
        { type: 'quick_reply', content: 'More?', quickReplies: ['Yes'] },
      ],
    }),
    version: 1,
  });
  expect(await changed.json()).toMatchObject({
    name: 'Opening hours',
    version: 2,
    responses: [{ delay: 500 }, {}],
  });
  expect(await codeOf(await admin.put(path, { ...flow(), version: 1 }))).toBe('409 bot_flow_changed');
  expect((await agent.put(`${path}/active`, { isActive: true })).status).toBe(403);
  expect(await (await admin.put(`${path}/active`, { isActive: true })).json()).toMatchObject({
    isActive: true,
  });
  const ordered = await admin.put('/api/bot-flows/order', { botFlowIds: [other.id] });
  expect((await ordered.json<{ items: BotFlow[] }>()).items.map(({ name }) => name)).toEqual([
    'Other',
    'Opening hours',
  ]);
  // Automation lists none of them.
  expect(await (await admin.get('/api/workflows')).json()).toMatchObject({ items: [] });
  expect((await admin.delete(path)).status).toBe(200);
  expect(await codeOf(await admin.delete(path))).toBe('404 bot_flow_not_found');
});

test('an agent edits and deletes a draft of their own, and nothing that was published or is of others', async () => {
  const file = { kind: 'bot', name: 'Draft' };
  const draftOf = async (who: typeof agent) =>
    (await who.post('/api/bot-flows/import', file)).json<BotFlow>();
  const [own, other] = [await draftOf(agent), await draftOf(admin)];
  const { items } = await (await agent.get('/api/bot-flows')).json<{ items: BotFlow[] }>();
  const seen = new Map(items.map(({ id, isOwnDraft }) => [id, isOwnDraft]));
  expect([seen.get(own.id), seen.get(other.id)]).toEqual([true, false]);
  const saved = await agent.put(`/api/workflows/${own.id}`, { ...file, name: 'Edited', version: 1 });
  expect(saved.status).toBe(200);
  expect((await agent.delete(`/api/bot-flows/${other.id}`)).status).toBe(403);
  const published = await (await agent.post('/api/bot-flows', flow())).json<BotFlow>();
  expect(published.isOwnDraft).toBe(false);
  expect((await agent.delete(`/api/bot-flows/${published.id}`)).status).toBe(403);
  expect((await viewer.delete(`/api/bot-flows/${own.id}`)).status).toBe(403);
  expect((await agent.delete(`/api/bot-flows/${own.id}`)).status).toBe(200);
});

test.each([
  ['no keyword', { trigger: { type: 'keyword', value: ' | ' } }],
  ['no response', { responses: [] }],
  ['a text without words', { responses: [{ type: 'text', content: ' ' }] }],
  ['buttons without one', { responses: [{ type: 'quick_reply', content: 'Hi' }] }],
  [
    'two buttons alike',
    { responses: [{ type: 'quick_reply', content: 'Hi', quickReplies: ['Yes', 'yes'] }] },
  ],
  [
    'four buttons',
    { responses: [{ type: 'quick_reply', content: 'Hi', quickReplies: ['1', '2', '3', '4'] }] },
  ],
  ['a delay without end', { responses: [{ ...text, delay: 60_001 }] }],
])('a flow is refused with %s', async (_, rest) =>
  expect(await codeOf(await admin.post('/api/bot-flows', flow(rest)))).toBe('422 invalid_input'),
);

test('a template that is not there is named', async () => {
  const templateId = '0193a6f0-0000-7000-8000-000000000001';
  const refused = await admin.post(
    '/api/bot-flows',
    flow({ responses: [{ type: 'template', content: '', templateId }] }),
  );
  expect(await codeOf(refused)).toBe('422 bot_flow_template_gone');
});
