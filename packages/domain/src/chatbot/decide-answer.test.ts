import { describe, expect, test } from 'vitest';
import { defaultBotSettings, type BotSettings } from './bot-settings.ts';
import { newBotState, resumeBotState, changeBotStatus, type BotState } from './bot-state.ts';
import {
  decideAnswer,
  LOOP_ANSWERS,
  type ActiveBotFlow,
  type MessageToAnswer,
  type ModelStep,
  type TalkingRun,
} from './decide-answer.ts';

const NOW = Date.UTC(2026, 10, 27, 12);
const HOUR_MS = 3_600_000;

const flows: ActiveBotFlow[] = [
  { id: 'returns', name: 'Returns', triggers: [{ type: 'keyword', value: 'return|refund' }] },
  { id: 'orders', name: 'Orders', triggers: [{ type: 'keyword', value: 'return|order' }] },
];

function decide(
  message: Partial<MessageToAnswer> = {},
  {
    settings = {},
    state = {},
    isOpen = true,
    wasTalking = false,
    active = [],
    model = { state: 'none' },
    talking = null,
    isLate = false,
    isAwaited = false,
  }: {
    talking?: TalkingRun | null;
    isLate?: boolean;
    isAwaited?: boolean;
    settings?: Partial<BotSettings>;
    state?: Partial<BotState>;
    isOpen?: boolean;
    wasTalking?: boolean;
    active?: ActiveBotFlow[];
    model?: ModelStep;
  } = {},
) {
  return decideAnswer({
    settings: { ...defaultBotSettings, isEnabled: true, ...settings },
    message: {
      ...{
        text: 'hello',
        writtenAt: NOW - 1000,
        receivedAt: NOW - 1000,
        language: 'en',
        isBlocked: false,
        isOptedOut: false,
      },
      ...{
        isConsentWord: false,
        isOwnNumber: false,
        lastAnswer: null,
        recentAnswers: 0,
        agentWroteAt: null,
        isTap: false,
      },
      ...message,
    },
    before: { ...newBotState(NOW - HOUR_MS), ...state },
    ...{ wasTalking, flows: active, isOpen, model, talking, isLate, isAwaited, now: NOW },
  });
}

const told = (decision: ReturnType<typeof decide>) =>
  'silent' in decision
    ? `silent: ${decision.silent}`
    : 'ask' in decision || 'later' in decision
      ? Object.keys(decision)[0]
      : [decision.answer.rule, decision.answer.flowId ?? decision.answer.builtIn, decision.answer.handoff]
          .filter((part) => part !== null)
          .join(' ');

const said = (confidence: number): ModelStep => ({
  state: 'answered',
  answer: { text: 'From 9 to 17.', confidence, intent: 'opening_hours' },
});

describe('in this order', () => {
  test.each([
    [
      'a handoff keyword before everything',
      { text: 'return, agent' },
      { isOpen: false, active: flows, settings: { usesBusinessHours: true } },
      'handoff keyword',
    ],
    [
      'closed before flows',
      { text: 'return' },
      { isOpen: false, active: flows, settings: { usesBusinessHours: true } },
      'closed',
    ],
    [
      'hours that are not used do not close',
      { text: 'return' },
      { isOpen: false, active: flows },
      'flow returns',
    ],
    ['of two flows the first', { text: 'return of an order' }, { active: flows }, 'flow returns'],
    ['a flow before the built-in rules', { text: 'my order' }, { active: flows }, 'flow orders'],
    [
      'a flow before the model',
      { text: 'my order' },
      { active: flows, model: { state: 'ready' } },
      'flow orders',
    ],
    ['the model before the built-in rules', { text: 'my order' }, { model: { state: 'ready' } }, 'ask'],
    ['no model for a picture', { text: '' }, { model: { state: 'ready' } }, 'ask_details'],
    ['a model that is sure', { text: 'my order' }, { model: said(0.7) }, 'model'],
    ['a model that is not sure', { text: 'my order' }, { model: said(0.69) }, 'built_in order'],
    [
      'a model that is not sure, and nothing else',
      { text: 'blue' },
      { model: said(0.5), state: { unmatched: 1 } },
      'fallback fallback',
    ],
    [
      'a threshold of the settings',
      { text: 'blue' },
      { model: said(0.5), settings: { confidenceThreshold: 0.5 } },
      'model',
    ],
    ['a model that failed', { text: 'my order' }, { model: { state: 'failed' } }, 'built_in order'],
    ['the built-in rule of orders', { text: 'my order' }, {}, 'built_in order'],
    ['tracking is one of orders', { text: 'tracking' }, {}, 'built_in order'],
    ['hello', { text: 'Hello' }, {}, 'built_in greeting'],
    ['hi', { text: 'hi' }, {}, 'built_in greeting'],
    ['price', { text: 'price?' }, {}, 'built_in price'],
    ['cost', { text: 'what does it cost' }, {}, 'built_in price'],
    ['what they want goes before the greeting', { text: 'Hello, where is my order?' }, {}, 'built_in order'],
    ['in their language', { text: 'Wo ist meine Bestellung?' }, {}, 'built_in order'],
    [
      'people, only without auto handoff',
      { text: 'a human please' },
      { settings: { autoHandoffEnabled: false } },
      'built_in human asked',
    ],
    [
      'an agent, only without auto handoff',
      { text: 'agent' },
      { settings: { autoHandoffEnabled: false } },
      'built_in human asked',
    ],
    ['the first that nothing matches', { text: 'blue' }, {}, 'ask_details'],
    ['a picture without words', { text: '' }, {}, 'ask_details'],
    ['the second', { text: 'blue' }, { state: { unmatched: 1 } }, 'fallback fallback'],
    [
      'the second without auto handoff',
      { text: 'blue' },
      { state: { unmatched: 1 }, settings: { autoHandoffEnabled: false } },
      'fallback',
    ],
    ['the last of a conversation', { text: 'hello' }, { state: { messages: 49 } }, 'built_in greeting'],
    [
      'one more than a conversation may have',
      { text: 'hello' },
      { state: { messages: 50 } },
      'handoff length',
    ],
  ] as const)('%s', (_, message, given, expected) =>
    expect(told(decide(message, given as Parameters<typeof decide>[1]))).toBe(expected),
  );
});

describe('beside a dialogue', () => {
  const dialogue: TalkingRun = {
    ...{
      runId: 'run',
      flowId: 'orders',
      name: 'Orders',
      phase: 'waiting',
      isAsked: true,
      arrivedAt: NOW - 9000,
      choices: [],
    },
  };
  const menu: TalkingRun = { ...dialogue, choices: ['My order', 'Talk to an agent'] };
  const busy: TalkingRun = { ...dialogue, phase: 'busy' };
  test.each([
    ['an answer to its question', { talking: dialogue }, 'blue', 'run orders'],
    ['what comes while it is busy waits', { talking: busy }, 'return', 'later'],
    ['it waits as long as it is busy', { talking: busy, isLate: true }, 'return', 'later'],
    ['whoever asks for people is heard at once', { talking: busy }, 'agent', 'handoff keyword'],
    [
      'a choice of its question with a handoff keyword is an answer',
      { talking: menu },
      'Talk to an agent',
      'run orders',
    ],
    ['and so is its number', { talking: menu }, '2', 'run orders'],
    ['other words with one are not', { talking: menu }, 'no, an agent', 'handoff keyword'],
    ['what waited answers a question of before', { talking: dialogue, isLate: true }, 'blue', 'run orders'],
    [
      'what waited answers no question of after',
      { talking: { ...dialogue, arrivedAt: NOW }, isLate: true },
      'blue',
      'silent: burst',
    ],
    ['what waited begins a flow once it is over', { isLate: true }, 'return', 'flow returns'],
    ['what waited and matches nothing was meant for it', { isLate: true }, 'blue', 'silent: burst'],
  ] as const)('%s', (_, given, text, expected) =>
    expect(told(decide({ text }, { active: flows, ...given }))).toBe(expected),
  );
});

test.each([
  ['words that nothing matches are left to it', 'blue', {}, 'silent: awaited'],
  [
    'and so are words of a built-in rule, at any hour',
    'hello',
    { isOpen: false, settings: { usesBusinessHours: true } },
    'silent: awaited',
  ],
  ['a flow begins all the same', 'return', {}, 'flow returns'],
  ['whoever asks for people gets them', 'agent', {}, 'handoff keyword'],
] as const)('where a workflow waits for a reply: %s', (_, text, given, expected) =>
  expect(told(decide({ text }, { active: flows, isAwaited: true, ...given }))).toBe(expected),
);

test('what waited and came just after its question answers it, although platforms name whole seconds', () => {
  const talking: TalkingRun = {
    ...{ runId: 'run', flowId: 'orders', name: 'Orders', phase: 'waiting', isAsked: true },
    ...{ arrivedAt: NOW - 700, choices: [] },
  };
  const message = { text: 'blue', writtenAt: NOW - 1000, receivedAt: NOW - 500 };
  expect(told(decide(message, { talking, isLate: true }))).toBe('run orders');
});

test('a built-in answer has its confidence, its intent and its words', () => {
  expect(decide({ text: 'Bonjour' })).toMatchObject({
    answer: {
      ...{ builtIn: 'greeting', keyword: 'bonjour', confidence: 0.85, intent: 'general_inquiry' },
      text: 'Bonjour ! Comment puis-je vous aider aujourd’hui ?',
    },
  });
});

describe('what a model is asked', () => {
  const WRITTEN = { text: 'blue', writtenAt: NOW - 5000 };
  const asked = decide(WRITTEN, { model: { state: 'ready' } }).state;

  test('is counted once, and more of the same second belongs to it', () => {
    expect(asked).toMatchObject({ messages: 1, answeredWrittenAt: NOW - 5000 });
    expect(told(decide({ ...WRITTEN, text: 'more' }, { state: asked, model: { state: 'ready' } }))).toBe(
      'silent: burst',
    );
    const answered = decide(WRITTEN, { state: asked, model: said(0.9) });
    expect([told(answered), answered.state.messages]).toEqual(['model', 2]);
    expect(answered).toMatchObject({ answer: { text: 'From 9 to 17.', intent: 'opening_hours' } });
  });

  test.each([
    ['people took over', { status: 'waiting', handedOverAt: NOW }, 'silent: handed_over'],
    ['something newer was answered', { answeredWrittenAt: NOW - 1000 }, 'silent: burst'],
  ] as const)('gets no answer where meanwhile %s', (_, state, expected) =>
    expect(told(decide(WRITTEN, { state: { ...asked, ...state }, model: said(0.9) }))).toBe(expected),
  );
});

test('the fallback message is the one of the settings', () => {
  expect(decide({ text: 'blue' }, { state: { unmatched: 1 } })).toMatchObject({
    answer: { text: "I'm sorry, I didn't understand that. Let me connect you with a human agent." },
    state: { status: 'waiting', reason: 'fallback', handedOverAt: NOW },
  });
});

test('what matches lets the next unmatched one be asked for details again', () => {
  const asked = decide({ text: 'blue' });
  expect(asked.state.unmatched).toBe(1);
  expect(decide({ text: 'hello' }, { state: asked.state, settings: {} }).state.unmatched).toBe(1); // the same second: no answer
  const later = decide({ text: 'hello', writtenAt: NOW + 2000 }, { state: asked.state });
  expect(later.state).toMatchObject({ unmatched: 0, messages: 4 });
});

test.each([
  ['while it is off', {}, { settings: { isEnabled: false } }, 'disabled'],
  ['to what came late', { writtenAt: NOW - 16 * 60_000 }, {}, 'old'],
  ['to a number of ours', { isOwnNumber: true }, {}, 'own_number'],
  ['to who is blocked', { isBlocked: true }, {}, 'blocked'],
  ['to who opted out', { isOptedOut: true }, {}, 'opted_out'],
  ['to a word of consent', { isConsentWord: true, text: 'stop' }, {}, 'consent'],
  ['once people have it', {}, { state: { status: 'waiting', handedOverAt: NOW - HOUR_MS } }, 'handed_over'],
  ['when somebody answered meanwhile', { agentWroteAt: NOW - 500 }, { wasTalking: true }, 'agent'],
  ['where people talk with them', { agentWroteAt: NOW - HOUR_MS }, {}, 'agent'],
  ['to more of the same second', {}, { state: { answeredWrittenAt: NOW - 2000 } }, 'burst'],
  ['to its own words', { text: ' ASK  me', lastAnswer: 'Ask me' }, {}, 'echo'],
  [
    'a second time that it is closed',
    {},
    { isOpen: false, settings: { usesBusinessHours: true }, state: { closedSaidAt: NOW - HOUR_MS } },
    'closed_said',
  ],
  ['to a machine that goes on and on', { recentAnswers: LOOP_ANSWERS }, {}, 'loop'],
] as const)('no answer %s', (_, message, given, reason) =>
  expect(told(decide(message, given as Parameters<typeof decide>[1]))).toBe(`silent: ${reason}`),
);

test('a machine that goes on and on is handed to people', () =>
  expect(decide({ recentAnswers: LOOP_ANSWERS }).state).toMatchObject({ status: 'waiting', reason: 'loop' }));

test.each([
  [
    'who asks for people in the same second is heard',
    { text: 'agent' },
    { state: { answeredWrittenAt: NOW - 1000 } },
    'handoff keyword',
  ],
  [
    'an agent who wrote between the messages of the bot stops nothing',
    { agentWroteAt: NOW - HOUR_MS },
    { wasTalking: true },
    'built_in greeting',
  ],
  [
    'what an agent wrote long ago stops nothing',
    { agentWroteAt: NOW - 13 * HOUR_MS },
    {},
    'built_in greeting',
  ],
  [
    'half a day later it is said again that it is closed',
    {},
    { isOpen: false, settings: { usesBusinessHours: true }, state: { closedSaidAt: NOW - 13 * HOUR_MS } },
    'closed',
  ],
] as const)('%s', (_, message, given, expected) =>
  expect(told(decide(message, given as Parameters<typeof decide>[1]))).toBe(expected),
);

test('a conversation that was over begins anew, and so does one that nobody handed back for a day', () => {
  const waiting = { ...newBotState(0), status: 'waiting' as const, handedOverAt: NOW, unmatched: 2 };
  expect(resumeBotState(waiting, NOW + 24 * HOUR_MS, 24)).toBe(waiting);
  expect(resumeBotState(waiting, NOW + 24 * HOUR_MS + 1, 24)).toMatchObject({
    status: 'active',
    unmatched: 0,
  });
  expect(resumeBotState(waiting, NOW + 9_000 * HOUR_MS, null)).toBe(waiting);
  const over = changeBotStatus(waiting, 'resolved', NOW);
  expect(resumeBotState(over, NOW + 1, 24)).toMatchObject({ status: 'active', since: NOW + 1, messages: 0 });
  expect(changeBotStatus(waiting, 'active', NOW + 5)).toMatchObject({ status: 'active', unmatched: 0 });
  expect(changeBotStatus(null, 'waiting', NOW)).toMatchObject({ status: 'waiting', reason: 'taken_over' });
});
