import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { said } from '../arriving-events.ts';
import { openBotScene } from './bot-scene.ts';

const PHONE = '+14155552671';
/** What an erased contact writes again is not theirs any more. */
const SECOND = '+14155552675';
const { admin, api, arrive, query, sandbox, model, save, settle, textsOf, close } = await openBotScene();
afterAll(close);

beforeEach(async () => {
  for (const table of ['bot_answers', 'bot_settings', 'flows', 'ai_calls', 'ai_connections', 'bot_knowledge'])
    await query(`DELETE FROM ${table}`);
  sandbox.openai.reset();
  await save({ isEnabled: true });
});
const connect = async () => {
  const connected = await admin.put('/api/bot/ai', { ...model, version: 0 });
  if (connected.status !== 200) throw new Error(await connected.text());
};
let spoken = 0;
const at = () => ({ occurredAt: Date.now() - 800_000 + (spoken += 1) * 3_000 });
const write = async (text: string, phone = PHONE) => {
  await arrive(said({ phone }, text, at()));
  await settle();
};
describe('the bot survives', () => {
  longTest.each<[string, object]>([
    ['nothing', { fault: 'empty' }],
    ['an answer that is cut off', { fault: 'cut' }],
    ['a page of HTML', { fault: 'html' }],
    ['too many requests', { status: 429 }],
    [
      'another script than that of the customer',
      { answers: [{ contains: '', text: 'Здравствуйте, чем могу помочь?', confidence: 1 }] },
    ],
    [
      'another language than that of the customer',
      {
        answers: [
          { contains: '', text: 'Wie kann ich Ihnen heute mit der Bestellung helfen?', confidence: 1 },
        ],
      },
    ],
  ])('a model that brings %s: the rules answer, once', async (_, behaviour) => {
    await connect();
    Object.assign(sandbox.openai.behaviour, behaviour);
    await write('Hello, what can you do for me on a day like this?');
    expect(await textsOf()).toHaveLength(1);
    expect((await query('SELECT rule FROM bot_answers'))[0]).not.toMatchObject({ rule: 'model' });
  });

  test('a customer who sends only media: asked for words once, then a person', async () => {
    const picture = {
      ...({ type: 'media', kind: 'image', mimeType: 'image/jpeg', sha256: null, caption: null } as const),
      ...{ filename: null, voice: false, animated: false, url: null },
    };
    for (let n = 0; n < 3; n += 1) {
      await arrive(said({ phone: PHONE }, { ...picture, mediaId: `p${n}` }, at()));
      await settle();
    }
    expect(await textsOf()).toHaveLength(2);
    expect(sandbox.openai.calls.total).toBe(0);
  });

  longTest('another bot that answers every answer: it stops and a person is called', async () => {
    await save({ isEnabled: true, maxConversationLength: 1_000, resumeAfterHours: null });
    for (let n = 0; n < 24; n += 1) await write(`Hello ${'!'.repeat(n)}`);
    expect((await textsOf()).length).toBe(20);
    expect(await query(`SELECT bot_state->>'reason' AS reason FROM conversations`)).toEqual([
      { reason: 'loop' },
    ]);
  });

  test('its own words that come back: it says nothing', async () => {
    await write('Hello');
    await write('Hello! How can I help you today?');
    expect(await textsOf()).toHaveLength(1);
  });

  test('a keyword that would take a regular expression for ever, and a message made for it', async () => {
    const made = await admin.post('/api/bot-flows', {
      ...{ name: 'Bomb', trigger: { type: 'keyword', value: '(a+)+$|(x*)*y' } },
      responses: [{ type: 'text', content: 'Boom.' }],
    });
    const { id } = await made.json<{ id: string }>();
    expect((await admin.put(`/api/bot-flows/${id}/active`, { isActive: true })).status).toBe(200);
    await write(`${'a'.repeat(4_000)}!`);
    await write('x'.repeat(4_000));
    expect((await textsOf()).length).toBe(2);
  });

  test('a contact that is erased while the model thinks: nobody is answered, and nothing is left', async () => {
    await connect();
    sandbox.openai.behaviour.latencyMs = 700;
    await arrive(said({ phone: PHONE }, 'Is there parking?', at()));
    await api.facts.catchUp();
    const [{ id }] = await query('SELECT id FROM contacts');
    const erased = await admin.post(`/api/contacts/${id}/erase`, {});
    expect(erased.status).toBe(200);
    await settle();
    expect(await textsOf()).toEqual([]);
    expect(await query('SELECT FROM bot_answers')).toEqual([]);
    expect(await query('SELECT FROM ai_calls WHERE contact_id IS NOT NULL')).toEqual([]);
  });

  test('a contact that becomes one with another in mid-dialogue: the one that stays is answered, once', async () => {
    await connect();
    sandbox.openai.behaviour.latencyMs = 700;
    sandbox.openai.behaviour.answers = [{ contains: 'parking', text: 'Behind the house.', confidence: 1 }];
    const other = await admin.post('/api/contacts', { name: 'Ann', phone: '+14155559999' });
    const survivor = await other.json<{ id: string; version: number }>();
    await arrive(said({ phone: SECOND }, 'Is there parking?', at()));
    await api.facts.catchUp();
    const [gone] = await query<{ id: string; version: number }>(
      'SELECT id, version FROM contacts WHERE phone = $1',
      [SECOND],
    );
    const merged = await admin.post('/api/contacts/merges', {
      ...{ mergeId: crypto.randomUUID(), survivorId: survivor.id },
      contacts: [survivor, gone!].map(({ id, version }) => ({ contactId: id, version })),
    });
    expect(merged.status).toBe(200);
    await settle();
    const answered = await query<{ text: string }>(`SELECT text FROM messages WHERE direction = 'out'`);
    expect(answered.length).toBeLessThanOrEqual(1);
    await write('Hello', '+14155559999');
    expect((await textsOf()).filter((text) => text.startsWith('Hello!')).length).toBeLessThanOrEqual(1);
    expect(await query(`SELECT FROM flow_starts WHERE state = 'open'`)).toEqual([]);
  });

  longTest('a history of 10,000 old messages: nobody is answered', async () => {
    const old = Date.now() - 86_400_000;
    for (let part = 0; part < 10; part += 1)
      await arrive(
        ...Array.from({ length: 1_000 }, (_, n) =>
          said({ phone: `+1415${5_000_000 + (n % 50)}` }, `Hello ${part} ${n}`, {
            occurredAt: old + (part * 1_000 + n) * 1_000,
          }),
        ),
      );
    await settle();
    expect([await textsOf(), await query('SELECT FROM bot_answers')]).toEqual([[], []]);
  });
});
