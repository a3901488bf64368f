import { defineFact } from '../events/fact-definition.ts';
import { oneOf, orNull, text, whole } from '../events/fact-values.ts';
import { templateStatuses } from './template.ts';

const common = {
  version: 1,
  subject: 'template',
  values: { name: text },
  live: [
    { topic: 'templates', payload: ({ subject }: { subject: string | null }) => ({ templateId: subject }) },
  ],
  forWebhooks: true,
} as const;

export const templateFacts = {
  'template.created': defineFact({ ...common, audit: { type: 'create', resource: 'templates' } }),
  'template.updated': defineFact({ ...common, audit: { type: 'update', resource: 'templates' } }),
  'template.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'templates' } }),
  'template.submitted': defineFact({ ...common, audit: { type: 'update', resource: 'templates' } }),
  /** Those of the account that were not here yet, however many. */
  'templates.imported': defineFact({
    version: 1,
    subject: 'workspace',
    values: { count: whole },
    audit: { type: 'create', resource: 'templates' },
    live: [{ topic: 'templates' }],
    forWebhooks: false,
  }),
  /** What the platform says of it is another now: the answer to a submission, a review, a quality, a category. */
  'template.platform_changed': defineFact({
    ...common,
    values: {
      ...common.values,
      status: oneOf(templateStatuses),
      platformStatus: orNull(text),
      platformStatusBefore: orNull(text),
      category: orNull(text),
      quality: orNull(text),
    },
    audit: null,
    // A sync changes many at once, which is one sign.
    live: [{ topic: 'templates' }],
  }),
};
