import type { ServerFeature } from '../platform/features/server-feature.ts';
import { operationJob } from '../platform/operations/operation-job.ts';
import { enqueueDeliveries } from './enqueue-deliveries.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
import { webhookDeliveriesApi } from './webhook-deliveries-api.ts';
import { webhookEndpointsApi } from './webhook-endpoints-api.ts';
import { webhookPersonData } from './webhook-person-data.ts';
import { webhookResend } from './webhook-resend.ts';
import { webhookSender } from './webhook-sender.ts';

export const webhookEndpointsFeature = {
  name: 'webhook-endpoints',
  personData: webhookPersonData,
  router: { webhookEndpoints: webhookEndpointsApi, webhookDeliveries: webhookDeliveriesApi },
  consumers: [enqueueDeliveries],
  jobs: [operationJob(webhookResend)],
  workers: [webhookSender],
  upkeep: { seldom: [pruneDeliveries] },
} satisfies ServerFeature;
