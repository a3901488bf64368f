import type { ServerFeature } from '../platform/features/server-feature.ts';
import { webhooksPersonData } from './webhooks-person-data.ts';

/** Its addresses are the platform's, beside the contract: `mountWebhooks`. */
export const webhooksFeature = { name: 'webhooks', personData: webhooksPersonData } satisfies ServerFeature;
