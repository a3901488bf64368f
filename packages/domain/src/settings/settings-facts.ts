import { defineFact } from '../events/fact-definition.ts';
import { oneOf } from '../events/fact-values.ts';

/** The parts of the settings, each saved by itself. */
export const settingsParts = ['general', 'messaging'] as const;
export type SettingsPart = (typeof settingsParts)[number];

export const settingsFacts = {
  'settings.updated': defineFact({
    version: 1,
    subject: 'workspace',
    values: { part: oneOf(settingsParts) },
    audit: { type: 'update', resource: 'settings' },
    live: [{ topic: 'settings' }],
    forWebhooks: false,
    startsAutomations: false,
  }),
};
