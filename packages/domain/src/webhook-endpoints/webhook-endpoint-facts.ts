import { defineFact } from '../events/fact-definition.ts';
import { oneOf, text, whole } from '../events/fact-values.ts';
import { pauseReasons } from './webhook-rules.ts';

const common = {
  version: 1,
  subject: 'webhook-endpoint',
  live: [{ topic: 'webhook-endpoints' }],
  // A receiver that hears of its own endpoint could begin a loop.
  forWebhooks: false,
} as const;
/** The host alone: the rest of an address may be a secret. */
const about = { host: text } as const;

export const webhookEndpointFacts = {
  'webhook_endpoint.created': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'create', resource: 'settings' },
  }),
  'webhook_endpoint.updated': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'update', resource: 'settings' },
  }),
  'webhook_endpoint.deleted': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'delete', resource: 'settings' },
  }),
  'webhook_endpoint.paused': defineFact({
    ...{ ...common, values: { ...about, reason: oneOf(pauseReasons) } },
    audit: { type: 'update', resource: 'settings' },
  }),
  'webhook_endpoint.resumed': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'update', resource: 'settings' },
  }),
  'webhook_endpoint.secret_rotated': defineFact({
    ...{ ...common, values: about },
    audit: { type: 'update', resource: 'settings' },
  }),
  'webhook_endpoint.resent': defineFact({
    ...{ ...common, values: { ...about, count: whole } },
    audit: { type: 'update', resource: 'settings' },
  }),
};
