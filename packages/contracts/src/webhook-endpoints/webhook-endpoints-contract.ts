import { pauseReasons, webhookLimits } from '@app/domain/webhook-endpoints/webhook-rules';
import { z } from 'zod';
import { endpoint, EXAMPLE_ID, id, instant, page, pageInput, versioned } from '../endpoint.ts';

export const webhookEndpoint = z.object({
  id,
  url: z.string(),
  description: z.string(),
  /** None: every kind of event, also those of later versions. */
  eventTypes: z.array(z.string()),
  perSecond: z.number(),
  status: z.enum(['active', 'paused']),
  /** Null while it is active. */
  pauseReason: z.enum(pauseReasons).nullable(),
  pausedAt: instant.nullable(),
  /** The first failure since the last delivery that went well; null where the last one did. */
  failingSince: instant.nullable(),
  /** The next attempt of an endpoint that fails. */
  heldUntil: instant.nullable(),
  lastDeliveredAt: instant.nullable(),
  lastFailedAt: instant.nullable(),
  /** Deliveries that wait for their turn. */
  waiting: z.number(),
  /** Until then the secret of before the rotation signs as well. */
  previousSecretUntil: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});

const parts = {
  url: z.string().trim().min(1).max(webhookLimits.url),
  description: z.string().trim().max(webhookLimits.description).default(''),
  eventTypes: z
    .array(z.string().max(100))
    .max(500)
    .default([])
    .describe('Kinds of events, as GET /webhook-event-types lists them. None: every kind.'),
  perSecond: z.number().int().min(1).max(webhookLimits.perSecond.most).default(webhookLimits.perSecond.usual),
};
const one = z.object({ endpointId: id });
const refusals = [
  'webhook_url_invalid',
  'webhook_url_refused',
  'webhook_url_insecure',
  'webhook_event_unknown',
] as const;

export const webhookEndpointsContract = {
  list: endpoint({
    method: 'GET',
    path: '/webhook-endpoints',
    access: 'settings:read',
    forKeys: true,
    summary: 'Endpoints to which events are sent, the newest first',
    input: pageInput,
    output: page(webhookEndpoint),
  }),
  listEventTypes: endpoint({
    method: 'GET',
    path: '/webhook-event-types',
    access: 'settings:read',
    forKeys: true,
    summary: 'Kinds of events that an endpoint can ask for, each with an example of its body',
    input: z.object({}),
    output: z.object({
      items: z.array(z.object({ type: z.string(), group: z.string(), example: z.string() })),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/webhook-endpoints/{endpointId}',
    access: 'settings:read',
    forKeys: { example: { endpointId: EXAMPLE_ID } },
    summary: 'One endpoint',
    input: one,
    output: webhookEndpoint,
    errors: ['webhook_endpoint_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/webhook-endpoints',
    access: 'settings:manage',
    forKeys: { example: { url: 'https://shop.example/webhooks', eventTypes: ['contact.created'] } },
    repeat: 'keyed',
    summary: 'Adds an endpoint; its signing secret is read with GET /webhook-endpoints/{endpointId}/secret',
    input: z.strictObject(parts),
    output: webhookEndpoint,
    errors: [...refusals, 'webhook_endpoint_limit'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/webhook-endpoints/{endpointId}',
    access: 'settings:manage',
    forKeys: true,
    repeat: versioned,
    summary: 'Sets address, events and rate, unless the endpoint was changed since `version`',
    input: z.strictObject({ ...parts, endpointId: id, version: z.number().int().min(1).max(2_000_000_000) }),
    output: webhookEndpoint,
    errors: [...refusals, 'webhook_endpoint_not_found', 'webhook_endpoint_changed'],
  }),
  setPaused: endpoint({
    method: 'PUT',
    path: '/webhook-endpoints/{endpointId}/paused',
    access: 'settings:manage',
    forKeys: { example: { endpointId: EXAMPLE_ID, isPaused: true } },
    repeat: { harmless: 'The same state again changes nothing.' },
    summary: 'Pauses an endpoint, or resumes it: `waiting` says what becomes of the events of the meantime',
    input: z.strictObject({
      endpointId: id,
      isPaused: z.boolean(),
      waiting: z.enum(['send', 'cancel']).default('send'),
    }),
    output: webhookEndpoint,
    errors: ['webhook_endpoint_not_found'],
  }),
  getSecret: endpoint({
    method: 'GET',
    path: '/webhook-endpoints/{endpointId}/secret',
    access: 'settings:manage',
    forKeys: { example: { endpointId: EXAMPLE_ID } },
    summary: 'The secret with which deliveries of the endpoint are signed',
    input: one,
    output: z.object({
      secret: z.string(),
      previousSecret: z.string().nullable(),
      previousSecretUntil: instant.nullable(),
    }),
    errors: ['webhook_endpoint_not_found'],
  }),
  rotateSecret: endpoint({
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/secret',
    access: 'settings:manage',
    forKeys: { example: { endpointId: EXAMPLE_ID } },
    repeat: 'keyed',
    summary: 'Gives the endpoint a new secret; the old one signs as well for some hours',
    input: z.strictObject({
      endpointId: id,
      overlapHours: z
        .number()
        .int()
        .min(0)
        .max(webhookLimits.overlapHours.most)
        .default(webhookLimits.overlapHours.usual),
    }),
    output: webhookEndpoint,
    errors: ['webhook_endpoint_not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/webhook-endpoints/{endpointId}',
    access: 'settings:manage',
    forKeys: { example: { endpointId: EXAMPLE_ID } },
    repeat: 'keyed',
    summary: 'Deletes an endpoint with its deliveries; nothing more is sent to it',
    input: one,
    output: z.object({}),
    errors: ['webhook_endpoint_not_found'],
  }),
};
