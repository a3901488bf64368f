import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'api-key',
  // Whoever has a stream open with a key looks whether it still opens anything.
  live: [{ topic: 'api-keys' }],
  forWebhooks: false,
} as const;
/** `name` is the key's, `prefix` the part of it that is no secret. */
const about = { name: text, prefix: text } as const;

/** What people do with keys of the API. What a key does itself stands under its own name. */
export const apiKeyFacts = {
  'api_key.created': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'create', resource: 'api-keys' },
  }),
  'api_key.renamed': defineFact({
    ...{ ...common, values: { ...about, before: text } },
    audit: { type: 'update', resource: 'api-keys' },
  }),
  /** By its owner, or by somebody who looks after the workspace. */
  'api_key.revoked': defineFact({
    ...{ ...common, values: { ...about, owner: text } },
    audit: { type: 'delete', resource: 'api-keys' },
  }),
};
