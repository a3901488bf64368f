import { defineFact } from '../events/fact-definition.ts';
import { oneOf, text } from '../events/fact-values.ts';

/** The parts of the settings, each saved by itself. */
export const settingsParts = ['general', 'messaging', 'numbers', 'retention', 'notices'] as const;
export type SettingsPart = (typeof settingsParts)[number];

export const settingsFacts = {
  'settings.updated': defineFact({
    version: 1,
    subject: 'workspace',
    values: { part: oneOf(settingsParts) },
    audit: { type: 'update', resource: 'settings' },
    // The inbox shows its hours.
    live: [{ topic: 'settings' }, { topic: 'inbox-settings' }],
    forWebhooks: false,
  }),
  'settings.plan_changed': defineFact({
    version: 1,
    subject: 'workspace',
    values: { plan: text },
    audit: { type: 'update', resource: 'settings' },
    live: [{ topic: 'settings' }],
    forWebhooks: false,
  }),
  /** What a platform made of the profile of the business. */
  'settings.profile_pushed': defineFact({
    version: 1,
    subject: 'workspace',
    values: { outcome: oneOf(['done', 'refused', 'unreachable']) },
    audit: null,
    live: [{ topic: 'settings' }],
    forWebhooks: false,
  }),
};
