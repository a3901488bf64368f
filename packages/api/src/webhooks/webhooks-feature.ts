import type { ServerFeature } from '../platform/features/server-feature.ts';
import { deleteWebhookCalls } from './calls/call-log.ts';
import { webhookCallsApi } from './calls/webhook-calls-api.ts';
import { pruneTold } from './calls/prune-told.ts';
import { webhooksPersonData } from './webhooks-person-data.ts';

/** Its addresses are the platform's, beside the contract: `mountWebhooks`. */
export const webhooksFeature = {
  name: 'webhooks',
  router: { webhookCalls: webhookCallsApi },
  personData: webhooksPersonData,
  upkeep: { seldom: [deleteWebhookCalls, pruneTold] },
} satisfies ServerFeature;
