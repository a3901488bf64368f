import { defineFact } from '../events/fact-definition.ts';
import { listOf, text } from '../events/fact-values.ts';

/** What the platform says of people arrives by the group: one fact tells it for a whole one, by the ids of those concerned. */
const ofGroup = {
  version: 1,
  subject: 'contact',
  values: { contactIds: listOf(text) },
  lists: { kind: 'contact', values: ['contactIds'] },
  audit: null,
  live: [{ topic: 'contacts' }],
  forWebhooks: true,
  startsAutomations: true,
} as const;

/** A sign that names more goes to every browser, which reads its lists anew all the same. */
const MOST_NAMED = 50;

export const inboundFacts = {
  /** In both directions: what people wrote, and what somebody wrote to them in an app of the platform. */
  'messages.arrived': defineFact({
    ...ofGroup,
    subject: 'message',
    values: { messageIds: listOf(text), contactIds: listOf(text) },
    live: [
      {
        topic: 'messages',
        payload: ({ values: { contactIds } }) => ({
          contactIds: Array.isArray(contactIds) ? contactIds.slice(0, MOST_NAMED) : [],
        }),
      },
      ...ofGroup.live,
    ],
  }),
  /** What people said of marketing; which word counts is decided by the times at which they were said. */
  'consents.said': defineFact({
    ...ofGroup,
    values: { optedOut: listOf(text), optedIn: listOf(text) },
    lists: { kind: 'contact', values: ['optedOut', 'optedIn'] },
  }),
  /** Another number or id of the platform, or a while without marketing. */
  'contacts.platform_changed': defineFact(ofGroup),
};
