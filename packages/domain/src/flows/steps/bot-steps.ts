import type { Json } from '../flow-file.ts';
import { DONE_OR_FAILED, textOf, type StepMove, type StepType, type StepVisit } from '../step-type.ts';
import { MESSAGE_WAIT_MS } from './send-message.ts';

const FAILED = ['failed'] as const;

/** Hands the conversation to people and ends the run: the bot is silent until an agent hands it back. */
export const handoff: StepType = {
  ...{ type: 'handoff', kinds: ['bot'], group: 'team', needsContact: true },
  fields: [
    { name: 'to', kind: 'choice', isRequired: true, initial: 'anyone', options: ['anyone', 'team', 'user'] },
    { name: 'team', kind: 'team', isRequired: true, when: { field: 'to', is: ['team'] } },
    { name: 'user', kind: 'user', isRequired: true, when: { field: 'to', is: ['user'] } },
    { name: 'text', kind: 'long_text', takesValues: true },
  ],
  exits: () => FAILED,
  values: () => [],
  enter(visit) {
    const text = textOf(visit.config, 'text').trim();
    if (text === '') return handOver(visit);
    const { state } = visit;
    const request = { text, buttons: [], channelId: state.trigger['channel_id'] ?? null };
    return { ask: 'send_message', request, waitMs: MESSAGE_WAIT_MS, memo: { isSaying: true } };
  },
  settle(visit, { status }) {
    // Agents are called, also when the message failed.
    if (visit.state.memo?.['isSaying'] === true) return handOver(visit);
    return status === 'done' ? { end: 'completed', code: 'handed_over' } : null;
  },
};

function handOver({ config, state }: StepVisit): StepMove {
  return {
    ask: 'bot_handoff',
    request: {
      teamId: config['to'] === 'team' ? textOf(config, 'team') : null,
      userId: config['to'] === 'user' ? textOf(config, 'user') : null,
      channelId: state.trigger['channel_id'] ?? null,
    },
    memo: {},
  };
}

/** Ends this run and begins another flow of the bot with the same contact: one of them talks at a time. */
export const startBotFlow: StepType = {
  ...{ type: 'start_bot_flow', kinds: ['bot'], group: 'logic', needsContact: true },
  fields: [{ name: 'flow', kind: 'bot_flow', isRequired: true }],
  exits: () => FAILED,
  values: () => [],
  enter: ({ config, state: { trigger } }) => ({
    ask: 'start_bot_flow',
    request: {
      flowId: textOf(config, 'flow'),
      channelId: trigger['channel_id'] ?? null,
      text: trigger['text'] ?? '',
      messageId: trigger['message_id'] ?? null,
    },
  }),
  settle: (_visit, { status }) => (status === 'done' ? { end: 'completed', code: 'flow_started' } : null),
};

/** A slow model, with the attempts after a fault of its provider. */
const MODEL_WAIT_MS = 5 * 60_000;

/** Asks the AI model, from the knowledge and the facts of the workspace, and says its answer where it is sure enough. */
export const aiAnswer: StepType = {
  ...{ type: 'ai_answer', kinds: ['bot'], group: 'message', needsContact: true },
  fields: [
    {
      ...{ name: 'question', kind: 'long_text', isRequired: true, takesValues: true },
      initial: '{{trigger.text}}',
    },
    { name: 'threshold', kind: 'number', least: 0, most: 1 },
  ],
  exits: () => ['done', 'unsure', 'failed'],
  values: () => ['text', 'confidence'],
  enter({ config, state }) {
    const question = textOf(config, 'question').trim();
    if (question === '') return { fail: 'text_empty' };
    return {
      ask: 'ai_answer',
      request: {
        question,
        channelId: state.trigger['channel_id'] ?? null,
        threshold: typeof config['threshold'] === 'number' ? config['threshold'] : null,
      },
      waitMs: MODEL_WAIT_MS,
    };
  },
  settle({ state }, outcome) {
    if (outcome.status !== 'done') return null;
    const answer = state.memo?.['answer'] as { readonly [name: string]: Json } | undefined;
    if (answer) return { go: 'done', values: answer };
    const { text = '', confidence = null, isSure = false } = outcome.values ?? {};
    if (isSure !== true || typeof text !== 'string' || text === '')
      return { go: 'unsure', values: { text, confidence } };
    const request = { text, buttons: [], channelId: state.trigger['channel_id'] ?? null };
    return {
      ...{ ask: 'send_message', request, waitMs: MESSAGE_WAIT_MS },
      memo: { answer: { text, confidence } },
    };
  },
};

/** Records that the contact agreed to marketing, with the words they agreed to. */
export const recordOptIn: StepType = {
  ...{ type: 'record_opt_in', kinds: ['bot'], group: 'contact', needsContact: true },
  fields: [{ name: 'text', kind: 'long_text', isRequired: true, takesValues: true, most: 1_000 }],
  exits: () => DONE_OR_FAILED,
  values: () => [],
  enter: ({ config }) => ({ ask: 'record_opt_in', request: { text: textOf(config, 'text') } }),
};
