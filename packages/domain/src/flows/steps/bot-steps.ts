import { textOf, type StepMove, type StepType, type StepVisit } from '../step-type.ts';
import { MESSAGE_WAIT_MS } from './send-message.ts';

const FAILED = ['failed'] as const;

/** Hands the conversation to people and ends the run: the bot is silent until somebody hands it back. */
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
    // People are asked for, whatever became of the message.
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
