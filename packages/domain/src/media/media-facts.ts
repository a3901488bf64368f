import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'media',
  values: { name: text },
  live: [],
  forWebhooks: false,
} as const;

export const mediaFacts = {
  'media.uploaded': defineFact({ ...common, audit: { type: 'upload', resource: 'media' } }),
  'media.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'media' } }),
};
