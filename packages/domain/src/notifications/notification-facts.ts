import { defineFact } from '../events/fact-definition.ts';
import { listOf, oneOf, text, whole } from '../events/fact-values.ts';
import { summaryKinds } from './summary.ts';

const common = {
  version: 1,
  subject: 'workspace',
  values: { userIds: listOf(text) },
  audit: null,
  live: [
    {
      topic: 'notifications',
      payload: ({ values }: { values: Record<string, unknown> }) => ({ userIds: values.userIds }),
    },
  ],
  forWebhooks: false,
} as const;

/** Whose list of notifications is another one now. */
export const notificationFacts = {
  'notifications.made': defineFact(common),
  'notifications.read': defineFact(common),
  /** What happened in the time that is over was put together for a person; how much of it needs somebody. */
  'summary.made': defineFact({
    version: 1,
    subject: 'user',
    values: { kind: oneOf(summaryKinds), sent: whole, answered: whole, needs: whole },
    audit: null,
    live: [],
    forWebhooks: false,
  }),
};
