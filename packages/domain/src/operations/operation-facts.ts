import { defineFact } from '../events/fact-definition.ts';
import { oneOf } from '../events/fact-values.ts';
import { operationKindNames } from './operation-kinds.ts';
import { overStates } from './operation-state.ts';

export const operationFacts = {
  /** What it came to its own facts say. */
  'long_act.ended': defineFact({
    version: 1,
    subject: 'long-act',
    values: { kind: oneOf(operationKindNames), state: oneOf(overStates) },
    audit: null,
    live: [
      {
        topic: 'progress',
        payload: ({ subject, values }) => ({ operationId: subject, state: values.state }),
      },
    ],
    forWebhooks: false,
  }),
};
