import { defineFact } from '../events/fact-definition.ts';
import { flag, oneOf, orNull, text, whole } from '../events/fact-values.ts';
import { conversionSources } from './conversion-settings.ts';

export const conversionFacts = {
  /** A contact did what a message was for; its campaign is that of their last click before it. */
  'conversion.recorded': defineFact({
    version: 1,
    subject: 'contact',
    values: { conversionId: text, source: oneOf(conversionSources), campaignId: orNull(text) },
    audit: null,
    live: [{ topic: 'campaigns' }],
    forWebhooks: false,
  }),
  'conversion_settings.updated': defineFact({
    version: 1,
    subject: 'workspace',
    values: { windowDays: whole, countsLinks: flag },
    audit: { type: 'update', resource: 'settings' },
    live: [{ topic: 'settings' }],
    forWebhooks: false,
  }),
};
