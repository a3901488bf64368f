import { defineFact } from '../events/fact-definition.ts';
import { listOf, text } from '../events/fact-values.ts';

export const messageFileFacts = {
  /** Files of messages are here by now, or will not come. Browsers read the messages anew. */
  'message_files.settled': defineFact({
    version: 1,
    subject: 'message',
    values: { messageIds: listOf(text), contactIds: listOf(text) },
    lists: { kind: 'contact', values: ['contactIds'] },
    audit: null,
    live: [
      {
        topic: 'messages',
        payload: ({ values: { contactIds } }) => ({
          contactIds: Array.isArray(contactIds) ? contactIds : [],
        }),
      },
    ],
    forWebhooks: false,
  }),
};
