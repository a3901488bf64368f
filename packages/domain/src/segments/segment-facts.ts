import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'segment',
  values: { name: text },
  // They are shown beside the lists of contacts.
  live: [{ topic: 'contacts' }],
  forWebhooks: false,
} as const;

export const segmentFacts = {
  'segment.created': defineFact({ ...common, audit: { type: 'create', resource: 'contacts' } }),
  'segment.updated': defineFact({ ...common, audit: { type: 'update', resource: 'contacts' } }),
  'segment.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'contacts' } }),
};
