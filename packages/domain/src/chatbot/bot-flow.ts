import { durationMs, emptyFlow, type FlowFile, type FlowStep, type FlowTrigger } from '../flows/flow-file.ts';
import { listOfTexts, textOf } from '../flows/step-type.ts';
import { findGreeting, greetingWords } from './built-in-answers.ts';
import { findKeyword, splitKeywords } from './match-keywords.ts';

export const botTriggerTypes = ['greeting', 'keyword'] as const;
export type BotTriggerType = (typeof botTriggerTypes)[number];

export const botResponseTypes = ['text', 'quick_reply', 'template'] as const;
export type BotResponseType = (typeof botResponseTypes)[number];

/** `value`: keywords with `|` between them. A greeting without a value is any greeting of the built-in ones. */
export type BotTrigger = { type: BotTriggerType; value: string };

/** One thing that the flow says. `delay`: milliseconds before it. */
export type BotResponse = {
  type: BotResponseType;
  content: string;
  quickReplies: string[];
  templateId: string | null;
  /** What stands for the variables of the template, by their names. */
  variables: Record<string, string>;
  delay: number;
};

export const botFlowLimits = {
  name: 120,
  description: 500,
  triggerValue: 2_000,
  keywords: 100,
  responses: 10,
  quickReplies: 3,
  quickReply: 20,
  text: 4_096,
  /** Above buttons. */
  shortText: 1_024,
  delay: 60_000,
} as const;

export type BotFlow = {
  name: string;
  description: string;
  trigger: BotTrigger;
  responses: readonly BotResponse[];
};

/** So many triggers are remembered in their split form. */
const MOST_TRIGGERS = 10_000;
const keywordsOf = new Map<string, readonly string[]>();

/** The split keywords of a trigger: always the same list for the same value, so that it is compiled once. */
export function triggerKeywords(value: string): readonly string[] {
  const known = keywordsOf.get(value);
  if (known) return known;
  if (keywordsOf.size >= MOST_TRIGGERS) keywordsOf.clear();
  const words = splitKeywords(value);
  keywordsOf.set(value, words);
  return words;
}

/** What of the trigger the message has; null where it does not begin the flow. */
export function matchTrigger({ type, value }: BotTrigger, text: string): string | null {
  const words = triggerKeywords(value);
  if (type === 'keyword') return findKeyword(text, words);
  return findGreeting(text, words.length > 0 ? words : greetingWords);
}

export const botFlowProblems = [
  'keywords_missing',
  'responses_missing',
  'content_missing',
  'template_missing',
  'quick_replies_missing',
] as const;

/** What keeps a flow from being saved, with the place of the response it belongs to. */
export function findBotFlowProblem({ trigger, responses }: Pick<BotFlow, 'trigger' | 'responses'>): {
  code: (typeof botFlowProblems)[number];
  place: number | null;
} | null {
  if (trigger.type === 'keyword' && splitKeywords(trigger.value).length === 0)
    return { code: 'keywords_missing', place: null };
  if (responses.length === 0) return { code: 'responses_missing', place: null };
  for (const [place, { type, content, quickReplies, templateId }] of responses.entries()) {
    if (type === 'template' && templateId === null) return { code: 'template_missing', place };
    if (type !== 'template' && content.trim() === '') return { code: 'content_missing', place };
    if (type === 'quick_reply' && quickReplies.length === 0) return { code: 'quick_replies_missing', place };
  }
  return null;
}

/**
 * The same flow in the form of the flow engine: one step for each response, in their order. The engine starts it for the message that the bot chose it
 * for, so the trigger only says what that was.
 */
export function compileBotFlow({ name, description, trigger, responses }: BotFlow): FlowFile {
  const steps = responses.map((response, place): FlowStep => ({
    ...{ id: stepId(place), type: 'send_message', config: configOf(response) },
    delay: response.delay > 0 ? { amount: response.delay / 1000, unit: 'seconds' } : null,
    next: { done: place + 1 < responses.length ? stepId(place + 1) : null },
  }));
  return {
    ...emptyFlow('bot', name, description),
    ...{ triggers: [triggerOf(trigger)], start: stepId(0), steps },
    settings: botFlowSettings,
  };
}

/** As many as write: the bot itself sees that each message gets one answer. */
export const botFlowSettings: FlowFile['settings'] = {
  reentry: 'always',
  goal: null,
  runsPerMinute: 100_000,
};

/** What begins a flow, as the bot compares it with messages. */
export function triggersOf({ triggers }: Pick<FlowFile, 'triggers'>): BotTrigger[] {
  return triggers.flatMap(({ type, config }) => {
    const known = botTriggerTypes.find((one) => one === type);
    return known ? [{ type: known, value: textOf(config, 'value') }] : [];
  });
}

/** The list view of a flow: its responses, one after the other; null where a step is more than a response. */
export function readResponses({ start, steps }: Pick<FlowFile, 'start' | 'steps'>): BotResponse[] | null {
  const responses: BotResponse[] = [];
  const seen = new Set<string>();
  for (let id = start; id !== null;) {
    const step = steps.find((one) => one.id === id);
    const response = step && !seen.has(id) ? responseOf(step) : null;
    if (!step || !response) return null;
    seen.add(id);
    responses.push(response);
    id = step.next['done'] ?? null;
  }
  return responses.length === steps.length ? responses : null;
}

function responseOf({ type, config, delay, next }: FlowStep): BotResponse | null {
  if (type !== 'send_message' || next['failed'] || config['channel']) return null;
  const delayMs = delay ? durationMs(delay) : 0;
  if (delayMs > botFlowLimits.delay) return null;
  const base = { content: '', quickReplies: [], templateId: null, variables: {}, delay: delayMs };
  if (config['content'] === 'template') {
    const template = textOf(config, 'template');
    const variables = (config['variables'] ?? {}) as Record<string, string>; // the form of the field
    return { ...base, type: 'template', templateId: template === '' ? null : template, variables };
  }
  if (config['content'] !== 'text') return null;
  const quickReplies = listOfTexts(config, 'buttons');
  const content = textOf(config, 'text');
  return { ...base, type: quickReplies.length > 0 ? 'quick_reply' : 'text', content, quickReplies };
}

/** The flow through which everything leaves that the bot says without a flow of people: its one step says what the start brings along. */
export function answersFlow(): FlowFile {
  return {
    ...emptyFlow('bot', 'Chatbot'),
    triggers: [triggerOf({ type: 'greeting', value: '' })],
    start: 'say',
    steps: [
      {
        ...{ id: 'say', type: 'send_message', delay: null, next: {} },
        config: { content: 'text', text: '{{trigger.answer}}' },
      },
    ],
    settings: botFlowSettings,
  };
}

function stepId(place: number): string {
  return `response-${place + 1}`;
}

function triggerOf({ type, value }: BotTrigger): FlowTrigger {
  return { id: 'begin', type, config: { value }, conditions: null };
}

function configOf({ type, content, quickReplies, templateId, variables }: BotResponse): FlowStep['config'] {
  if (type === 'template') return { content: 'template', template: templateId, variables };
  return { content: 'text', text: content, buttons: type === 'quick_reply' ? quickReplies : [] };
}
