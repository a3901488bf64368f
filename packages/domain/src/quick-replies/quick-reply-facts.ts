import { defineFact } from '../events/fact-definition.ts';
import { flag, text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'quick-reply',
  values: { name: text, isShared: flag },
  live: [{ topic: 'quick-replies' }],
  forWebhooks: false,
} as const;

/** `name` is the shortcut. */
export const quickReplyFacts = {
  'quick_reply.created': defineFact({ ...common, audit: { type: 'create', resource: 'messages' } }),
  'quick_reply.updated': defineFact({ ...common, audit: { type: 'update', resource: 'messages' } }),
  'quick_reply.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'messages' } }),
};
