import type { Json } from '../flow-file.ts';
import type { RunState } from '../run-state.ts';
import { DONE_OR_FAILED, listOfTexts, textOf, type StepType } from '../step-type.ts';

/** A message may wait for the end of quiet hours and for its turn; past this nobody knows what became of it. */
export const MESSAGE_WAIT_MS = 4 * 24 * 60 * 60_000;

export const sendMessage: StepType = {
  ...{ type: 'send_message', kinds: ['workflow', 'bot'], group: 'message', needsContact: true },
  fields: [
    { name: 'content', kind: 'choice', options: ['template', 'text'], isRequired: true, initial: 'template' },
    { name: 'template', kind: 'template', isRequired: true, when: { field: 'content', is: ['template'] } },
    {
      name: 'variables',
      kind: 'variables',
      takesValues: true,
      initial: {},
      when: { field: 'content', is: ['template'] },
    },
    {
      name: 'text',
      kind: 'long_text',
      takesValues: true,
      isRequired: true,
      when: { field: 'content', is: ['text'] },
    },
    { name: 'buttons', kind: 'buttons', initial: [], when: { field: 'content', is: ['text'] } },
    { name: 'channel', kind: 'channel' },
  ],
  exits: () => DONE_OR_FAILED,
  values: () => ['message_id'],
  enter: ({ config, state }) => ({
    ask: 'send_message',
    request:
      textOf(config, 'content') === 'text'
        ? {
            text: textOf(config, 'text'),
            buttons: listOfTexts(config, 'buttons'),
            channelId: config['channel'] ?? state.trigger['channel_id'] ?? null,
            answers: heardMessages(state),
          }
        : {
            templateId: textOf(config, 'template'),
            variables: (config['variables'] ?? {}) as { [name: string]: Json },
            channelId: config['channel'] ?? state.trigger['channel_id'] ?? null,
          },
    waitMs: MESSAGE_WAIT_MS,
  }),
};

/** The messages that the run is about: the one that began it, and those that it waited for. After an opt-out free text leaves only as an answer to a later one. */
function heardMessages({ trigger, steps }: RunState): string[] {
  return [trigger, ...Object.values(steps)]
    .map(({ message_id: id }) => id)
    .filter((id) => typeof id === 'string');
}
