import { defineFact } from '../events/fact-definition.ts';

export const channelFacts = {
  /** Somebody let a stopped number send again. */
  'channel.resumed': defineFact({
    version: 1,
    subject: 'channel',
    values: {},
    audit: { type: 'update', resource: 'channels' },
    live: [{ topic: 'channels' }],
    forWebhooks: true,
    startsAutomations: false,
  }),
};
