import { defineFact } from '../events/fact-definition.ts';
import { listOf, text } from '../events/fact-values.ts';

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
  startsAutomations: false,
} as const;

/** Whose list of notifications is another one now. */
export const notificationFacts = {
  'notifications.made': defineFact(common),
  'notifications.read': defineFact(common),
};
