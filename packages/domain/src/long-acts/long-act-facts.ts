import { defineFact } from '../events/fact-definition.ts';
import { oneOf } from '../events/fact-values.ts';
import { longActKindNames } from './long-act-kinds.ts';
import { overStates } from './long-act-state.ts';

export const longActFacts = {
  /** What it came to its own facts say. */
  'long_act.ended': defineFact({
    version: 1,
    subject: 'long-act',
    values: { kind: oneOf(longActKindNames), state: oneOf(overStates) },
    audit: null,
    live: [
      { topic: 'progress', payload: ({ subject, values }) => ({ actId: subject, state: values.state }) },
    ],
    forWebhooks: false,
    startsAutomations: false,
  }),
};
