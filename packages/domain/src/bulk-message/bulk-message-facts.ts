import { defineFact } from '../events/fact-definition.ts';
import { whole } from '../events/fact-values.ts';

/** The subject is the campaign that keeps the message. */
const common = {
  version: 1,
  subject: 'campaign',
  values: { recipients: whole },
  audit: { type: 'send', resource: 'bulk-message' },
  live: [
    { topic: 'campaigns', payload: ({ subject }: { subject: string | null }) => ({ campaignId: subject }) },
  ],
  forWebhooks: true,
} as const;

export const bulkMessageFacts = {
  'bulk_message.sent': defineFact(common),
  'bulk_message.scheduled': defineFact(common),
};
