import { defineFact, type LiveSign } from '../events/fact-definition.ts';
import { whole } from '../events/fact-values.ts';

const ofImport = (topic: LiveSign['topic']): LiveSign => ({
  topic,
  payload: ({ subject }) => ({ importId: subject }),
});

const one = {
  version: 1,
  subject: 'contact-import',
  live: [ofImport('contacts')],
  forWebhooks: true,
} as const;

export const contactImportFacts = {
  'contacts.imported': defineFact({
    ...one,
    values: { imported: whole },
    audit: { type: 'upload', resource: 'contacts' },
  }),
  'contacts.import_undone': defineFact({
    ...one,
    values: { removed: whole, restored: whole },
    audit: { type: 'delete', resource: 'contacts' },
  }),
  'contacts.failed_rows_exported': defineFact({
    ...one,
    values: {},
    audit: { type: 'download', resource: 'contacts' },
    live: [],
    forWebhooks: false,
  }),
};
