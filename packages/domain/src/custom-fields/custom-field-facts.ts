import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'custom-field',
  // Lists of contacts show the fields as columns.
  live: [{ topic: 'contacts' }],
  forWebhooks: false,
} as const;

export const customFieldFacts = {
  'custom_field.created': defineFact({
    ...common,
    values: { label: text },
    audit: { type: 'create', resource: 'contacts' },
  }),
  'custom_field.updated': defineFact({
    ...common,
    values: { label: text },
    audit: { type: 'update', resource: 'contacts' },
  }),
  'custom_fields.reordered': defineFact({
    ...common,
    values: {},
    audit: { type: 'update', resource: 'contacts' },
  }),
  'custom_field.deleted': defineFact({
    ...common,
    values: { label: text },
    audit: { type: 'delete', resource: 'contacts' },
  }),
};
