import { seededRandom } from '@app/sandbox/core/seeded-random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { eventually, openHostFixture, type HostFixture } from '../host-fixture.ts';

/** `npm run faults -- bot-dialogues` plays all of them, half without a model and half with one. */
const DIALOGUES = process.env['THOROUGH'] ? 300 : 12;
const SEED = Number(process.env['DIALOGUE_SEED'] ?? 24);
/** As many customers write at once; `npm run faults -- kill-bots` has 200. */
const AT_ONCE = 25;
/** Messages of one customer are further apart than what counts as one. */
const APART_MS = 2_100;
/** On a machine that others use. */
const PATIENCE_MS = 900_000;

type Turn = { says: string; hears: readonly string[]; ends?: true };

const HOURS = ['We are open from 9 to 17.', 'On Saturdays until 13.'];
const DETAILS = 'Thank you for your message. Could you please give me more details, so that I can help you?';
const FALLBACK = "I'm sorry, I didn't understand that. Let me connect you with a human agent.";
const HUMAN = 'I’ll connect you with a human agent. Please wait a moment.';
const PARKING = 'Yes, behind the house.';

/** What customers say, and what each must hear: written down here, and not computed by the product. */
const matched: readonly Turn[] = [
  { says: 'What are your opening hours?', hears: HOURS },
  { says: 'openning hours please', hears: HOURS },
  { says: 'OPENING HOURS!!!', hears: HOURS },
  { says: 'Hello', hears: ['Hello! How can I help you today?'] },
  { says: 'Buenos días', hears: ['¡Hola! ¿En qué puedo ayudarle hoy?'] },
  { says: 'Guten Tag', hears: ['Hallo! Wie kann ich Ihnen heute helfen?'] },
  {
    says: 'Where is my order?',
    hears: ['I can help you with your order. Please send me your order number.'],
  },
  {
    says: 'Wo ist meine Bestellung 4711?',
    hears: ['Ich helfe Ihnen gern bei Ihrer Bestellung. Bitte senden Sie mir Ihre Bestellnummer.'],
  },
  {
    says: 'Où est ma commande',
    hears: ['Je peux vous aider avec votre commande. Veuillez m’envoyer votre numéro de commande.'],
  },
  { says: 'How much is it?', hears: ['I can help you with prices. Which product are you interested in?'] },
  { says: 'Quanto custa?', hears: ['Posso ajudar com os preços. Qual produto interessa a você?'] },
  { says: 'a return', hears: ['Returns are free.'] },
];
const unmatched = ['blue', 'xyzzy 42', '🙂🙂', 'mmmh', 'Łódź'];
const asksForPeople = ['agent', 'I want a HUMAN now', 'representative please'];

/** Up to four messages of one customer: what matches, then what does not, then a person, after whom nothing is said. */
function drawDialogue(random: () => number, hasModel: boolean): Turn[] {
  const pick = <One>(from: readonly One[]): One => from[Math.floor(random() * from.length)]!; // it is not empty
  const known = hasModel ? [...matched, { says: 'Is there parking?', hears: [PARKING] }] : matched;
  const turns: Turn[] = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(known));
  switch (Math.floor(random() * 4)) {
    case 0:
      return [...turns, { says: pick(asksForPeople), hears: [HUMAN] }, { says: 'Hello?', hears: [] }];
    case 1:
      return [...turns, { says: pick(unmatched), hears: [DETAILS] }, pick(known)];
    case 2:
      return [
        ...turns.slice(0, 1),
        { says: pick(unmatched), hears: [DETAILS] },
        { says: pick(unmatched), hears: [FALLBACK] },
        { says: 'Hello', hears: [] },
      ];
    default:
      return turns;
  }
}

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
  await host.sandbox('/_sandbox/whatsapp/behaviour', { pairLimit: false, webhookRetryBaseMs: 200 });
  const flow = async (name: string, value: string, texts: readonly string[]) => {
    const made = await host.call<{ id: string }>('POST', '/api/bot-flows', {
      ...{ name, trigger: { type: 'keyword', value } },
      responses: texts.map((content) => ({ type: 'text', content })),
    });
    const on = await host.call('PUT', `/api/bot-flows/${made.body.id}/active`, { isActive: true });
    if (on.status !== 200) throw new Error(JSON.stringify(on.body));
  };
  await flow('Hours', 'opening hours', HOURS);
  await flow('Returns', 'return|refund', ['Returns are free.']);
  await saveSettings({ isEnabled: true, responseDelay: 0, modelTokensPerDay: 100_000_000 });
}, 900_000);
afterAll(() => host.close());

async function saveSettings(change: object) {
  const { body } = await host.call<{ version: number }>('GET', '/api/bot/settings');
  const saved = await host.call('PUT', '/api/bot/settings', { ...change, version: body.version });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
}

/** Of everybody at once, in the order in which it came to each phone. */
async function heard(): Promise<Map<string, string[]>> {
  const { rows } = await host.database.query<{ phone: string; texts: string[] }>(
    `SELECT k.phone, array_agg(m.text ORDER BY m.send_no) AS texts FROM messages m JOIN contacts k ON k.id = m.contact_id
      WHERE m.direction = 'out' AND m.author = 'bot' AND m.state = 'accepted' GROUP BY k.phone`,
  );
  return new Map(rows.map(({ phone, texts }) => [phone, texts]));
}

/** One group of customers after the other. */
async function play(dialogues: readonly Turn[][], prefix: string): Promise<number> {
  let answers = 0;
  for (let first = 0; first < dialogues.length; first += AT_ONCE)
    answers += await playAtOnce(
      dialogues.slice(first, first + AT_ONCE),
      (n) => `${prefix}${1000 + first + n}`,
    );
  return answers;
}

async function playAtOnce(dialogues: readonly Turn[][], phoneOf: (n: number) => string): Promise<number> {
  const expected = new Map(dialogues.map((_, n) => [`+${phoneOf(n)}`, [] as string[]]));
  const longest = Math.max(...dialogues.map((turns) => turns.length));
  for (let round = 0; round < longest; round += 1) {
    const said = dialogues.flatMap((turns, n) => turns.slice(round, round + 1).map((turn) => ({ n, turn })));
    await host.sandbox(
      '/_sandbox/whatsapp/inbound',
      said.map(({ n, turn }) => ({ from: phoneOf(n), name: `Customer ${n}`, text: turn.says })),
    );
    for (const { n, turn } of said) expected.get(`+${phoneOf(n)}`)!.push(...turn.hears);
    const texts = [...expected.values()].flat().length;
    await eventually(
      heard,
      (all) => [...expected.keys()].flatMap((phone) => all.get(phone) ?? []).length >= texts,
      PATIENCE_MS,
    );
    await new Promise((resolve) => setTimeout(resolve, APART_MS));
  }
  const all = await heard();
  const phones = await onPhones(dialogues.map((_, n) => phoneOf(n)));
  for (const [phone, texts] of expected) {
    expect([phone, all.get(phone) ?? []]).toEqual([phone, texts]);
    // The phone of the customer has as many, each once. The sandbox knows the texts of the newest ones, which may arrive in any order.
    const there = phones.get(phone) ?? [];
    expect([phone, there.length]).toEqual([phone, texts.length]);
    const rest = [...texts];
    for (const text of there.filter((one) => one !== null)) {
      expect([phone, rest]).toEqual([phone, expect.arrayContaining([text])]);
      rest.splice(rest.indexOf(text), 1);
    }
  }
  return [...expected.values()].flat().length;
}

async function onPhones(numbers: readonly string[]): Promise<Map<string, (string | null)[]>> {
  type Phone = { messages: { type: string; content?: { body?: string } }[] };
  const read = async (number: string) => {
    const path = `/_sandbox/whatsapp/messages?recipient=%2B${number}&limit=50`;
    const { messages } = await host.sandbox<Phone>(path);
    return [`+${number}`, messages.map(({ content }) => content?.body ?? null)] as const;
  };
  return new Map(await Promise.all(numbers.map(read)));
}

const random = seededRandom(SEED, 0, 0);

longTest(
  `${DIALOGUES / 2} customers write through the signed webhook, and each hears on their phone what the rules say, once`,
  async () => {
    const dialogues = Array.from({ length: DIALOGUES / 2 }, () => drawDialogue(random, false));
    expect(await play(dialogues, '49151500')).toBeGreaterThanOrEqual(DIALOGUES / 2);
  },
  3_600_000,
);

longTest(
  `${DIALOGUES / 2} more do so with a model, which answers what it is sure of and leaves the rest to the rules`,
  async () => {
    const connected = await host.call('PUT', '/api/bot/ai', {
      ...{ provider: 'compatible', baseUrl: `${host.sandboxUrl}/openai/v1`, key: 'sandbox-openai-key' },
      ...{ model: 'sandbox-chat', version: 0 },
    });
    expect(connected.status).toBe(200);
    await host.sandbox('/_sandbox/openai/behaviour', {
      answers: [{ contains: 'parking', text: PARKING, confidence: 0.9 }],
    });
    const dialogues = Array.from({ length: DIALOGUES / 2 }, () => drawDialogue(random, true));
    expect(await play(dialogues, '49151600')).toBeGreaterThanOrEqual(DIALOGUES / 2);
  },
  3_600_000,
);

test('an answer leaves soon after the message came, with no delay set and without a model', async ({
  annotate,
}) => {
  await host.call('POST', '/api/bot/ai/disconnect', {});
  const number = '4915170001';
  for (let n = 0; n < 5; n += 1) {
    await host.sandbox('/_sandbox/whatsapp/inbound', {
      from: `${number}${n}`,
      name: 'Soon',
      text: 'a return',
    });
    await eventually(heard, (all) => all.has(`+${number}${n}`));
  }
  const { rows } = await host.database.query<{ ms: number }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM o.sent_at - i.received_at) * 1000)::float8 AS ms
       FROM messages i JOIN contacts k ON k.id = i.contact_id JOIN messages o ON o.contact_id = i.contact_id AND o.direction = 'out'
      WHERE k.phone LIKE $1 AND i.direction = 'in'`,
    [`+${number}%`],
  );
  // Mark 23 of the scoreboard; the figure is for people to read, as it hangs on the machine.
  await annotate(`median answer: ${Math.round(rows[0]!.ms)} ms`);
  // The platform gives whole seconds.
  expect(rows).toEqual([{ ms: expect.any(Number) }]);
});
