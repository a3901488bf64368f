import { defineFact } from '../events/fact-definition.ts';
import { whole } from '../events/fact-values.ts';

/** Of a deletion of many contacts, or of its undoing, once it is over. */
const ended = {
  version: 1,
  subject: 'contact-removal',
  values: { count: whole },
  live: [
    { topic: 'contacts', payload: ({ subject }: { subject: string | null }) => ({ removalId: subject }) },
  ],
  forWebhooks: true,
} as const;

export const contactRemovalFacts = {
  'contacts.deleted': defineFact({ ...ended, audit: { type: 'delete', resource: 'contacts' } }),
  'contacts.restored': defineFact({ ...ended, audit: { type: 'create', resource: 'contacts' } }),
};
