import type { TriggerType } from '../trigger-type.ts';

/**
 * What bot flows begin with. The chatbot compares them with each message, the flow of the first priority first, and starts the one that it chose
 * (`decide-answer.ts`): they match nothing by themselves.
 */
export const botTriggers = (['greeting', 'keyword'] as const).map((type): TriggerType => ({
  ...{ type, kinds: ['bot'], isAwaitable: false },
  fields: [{ name: 'value', kind: 'long_text', isRequired: type === 'keyword', most: 2_000 }],
  values: () => ['text', 'keyword', 'answer', 'message_id'],
  matches: () => false,
}));
