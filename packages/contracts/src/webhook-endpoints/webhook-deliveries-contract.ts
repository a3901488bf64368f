import { deliveryStatuses } from '@app/domain/webhook-endpoints/webhook-rules';
import { z } from 'zod';
import { endpoint, EXAMPLE_ID, id, instant, page, pageInput } from '../endpoint.ts';
import { operation } from '../operations/operations-contract.ts';

export const webhookDelivery = z.object({
  /** The header `webhook-id`, the same for every attempt. */
  id,
  endpointId: id,
  type: z.string(),
  /** When it happened. */
  occurredAt: instant,
  status: z.enum(deliveryStatuses),
  attempts: z.number(),
  /** Null where it is settled. */
  nextAttemptAt: instant.nullable(),
  settledAt: instant.nullable(),
  responseStatus: z.number().nullable(),
  /** Why the last attempt failed, as a code; null where it did not. */
  failureReason: z.string().nullable(),
  createdAt: instant,
});

export const webhookAttempt = z.object({
  number: z.number(),
  startedAt: instant,
  durationMs: z.number().nullable(),
  outcome: z.enum(['begun', 'ok', 'rejected', 'not_sent', 'unknown']),
  reason: z.string().nullable(),
  url: z.string(),
  requestHeaders: z.record(z.string(), z.string()),
  responseStatus: z.number().nullable(),
  responseHeaders: z.record(z.string(), z.string()).nullable(),
  responseBody: z.string().nullable(),
  /** Only its beginning is stored. */
  isResponseCut: z.boolean(),
});

const filter = {
  endpointId: id.optional(),
  status: z.enum(deliveryStatuses).optional(),
  type: z.string().max(100).optional(),
  from: instant.optional(),
  to: instant.optional(),
};

const resendWish = {
  endpointId: id,
  which: z.enum(['failed', 'all']),
  from: instant.optional(),
  to: instant.optional(),
};

export const webhookDeliveriesContract = {
  list: endpoint({
    method: 'GET',
    path: '/webhook-deliveries',
    access: 'settings:read',
    forKeys: true,
    summary:
      'Deliveries to endpoints, the newest first; `search` finds ids, kinds of events and words of the body',
    input: pageInput.extend({ ...filter, search: z.string().trim().max(200).optional() }),
    output: page(webhookDelivery),
  }),
  get: endpoint({
    method: 'GET',
    path: '/webhook-deliveries/{deliveryId}',
    access: 'settings:read',
    forKeys: { example: { deliveryId: EXAMPLE_ID } },
    summary: 'One delivery with its body and its attempts',
    input: z.object({ deliveryId: id }),
    output: webhookDelivery.extend({
      /** Null once a person whom it named was erased. */
      body: z.string().nullable(),
      log: z.array(webhookAttempt),
    }),
    errors: ['webhook_delivery_not_found'],
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/test',
    access: 'settings:manage',
    forKeys: { example: { endpointId: EXAMPLE_ID } },
    repeat: 'keyed',
    summary: 'Sends a test event to the endpoint, also while it is paused',
    input: z.strictObject({ endpointId: id }),
    output: webhookDelivery,
    errors: ['webhook_endpoint_not_found'],
  }),
  resend: endpoint({
    method: 'POST',
    path: '/webhook-deliveries/{deliveryId}/resend',
    access: 'settings:manage',
    forKeys: { example: { deliveryId: EXAMPLE_ID } },
    repeat: 'keyed',
    summary: 'Sends a delivery once more, under the same id, also while its endpoint is paused',
    input: z.strictObject({ deliveryId: id }),
    output: webhookDelivery,
    errors: ['webhook_delivery_not_found', 'webhook_body_gone'],
  }),
  previewResend: endpoint({
    method: 'GET',
    path: '/webhook-endpoints/{endpointId}/resend',
    access: 'settings:manage',
    forKeys: { example: { endpointId: EXAMPLE_ID, which: 'failed' } },
    summary: 'How many deliveries of an endpoint would be sent once more now',
    input: z.object(resendWish),
    output: z.object({ count: z.number() }),
    errors: ['webhook_endpoint_not_found', 'webhook_period_missing'],
  }),
  resendMany: endpoint({
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/resend',
    access: 'settings:manage',
    forKeys: { example: { endpointId: EXAMPLE_ID, which: 'failed' } },
    repeat: 'keyed',
    work: 'long',
    summary:
      'Sends all failed deliveries of an endpoint once more, or all of a period, each under its id; goes on in the background',
    input: z.strictObject(resendWish),
    output: operation,
    errors: ['webhook_endpoint_not_found', 'webhook_period_missing'],
  }),
};
