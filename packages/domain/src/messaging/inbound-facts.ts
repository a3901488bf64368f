import { defineFact } from '../events/fact-definition.ts';
import { listOf, orNull, text } from '../events/fact-values.ts';
import { MOST_NAMED } from '../live/most-named.ts';

/** What the platform says of people arrives by the group: one fact tells it for a whole one, by the ids of those concerned. */
const ofGroup = {
  version: 1,
  subject: 'contact',
  values: { contactIds: listOf(text) },
  lists: { kind: 'contact', values: ['contactIds'] },
  audit: null,
  live: [{ topic: 'contacts' }],
  forWebhooks: true,
} as const;

/** Whoever shows a conversation reads it anew at once when it is named, and when none is. Of more than an event names none is. */
export function nameConversations({ values }: { values: Record<string, unknown> }): Record<string, unknown> {
  const { conversationIds: ids } = values;
  return { conversationIds: Array.isArray(ids) && ids.length <= MOST_NAMED ? ids : [] };
}

/** Which messages they are besides, the last of them where they are many: who reads the list knows by it what of it is new. */
function nameArrived(fact: { values: Record<string, unknown> }): Record<string, unknown> {
  const { messageIds: ids } = fact.values;
  return { ...nameConversations(fact), arrivedIds: Array.isArray(ids) ? ids.slice(-MOST_NAMED) : [] };
}

export const inboundFacts = {
  /** In both directions: what people wrote, and what somebody wrote to them in an app of the platform. */
  'messages.arrived': defineFact({
    ...ofGroup,
    subject: 'message',
    version: 3,
    /**
     * Without conversations where one of the messages has none. `buttonIds` stand in the order of the messages: the id of the button or row that was
     * tapped, null for a message that is no tap.
     */
    values: {
      messageIds: listOf(text),
      buttonIds: listOf(orNull(text)),
      contactIds: listOf(text),
      conversationIds: listOf(text),
    },
    live: [{ topic: 'messages', payload: nameArrived }, ...ofGroup.live],
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
