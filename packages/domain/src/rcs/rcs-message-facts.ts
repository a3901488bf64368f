import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'rcs-message',
  values: { name: text },
  live: [{ topic: 'rcs' }],
  forWebhooks: false,
} as const;

export const rcsMessageFacts = {
  'rcs_message.created': defineFact({ ...common, audit: { type: 'create', resource: 'campaigns' } }),
  'rcs_message.updated': defineFact({ ...common, audit: { type: 'update', resource: 'campaigns' } }),
  'rcs_message.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'campaigns' } }),
};
