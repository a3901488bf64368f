import { eventTopicNames } from '@app/domain/integrations/event-connector';
import { deliveryStatuses, webhookLimits } from '@app/domain/webhook-endpoints/webhook-rules';
import { z } from 'zod';
import { endpoint, EXAMPLE_ID, id, page, pageInput } from '../endpoint.ts';
import { webhookDelivery } from '../webhook-endpoints/webhook-deliveries-contract.ts';
import { kind } from './integrations-contract.ts';

const one = z.strictObject({ kind });
const example = { kind: 'zapier' };
const eventType = z
  .string()
  .max(100)
  .regex(/^[a-z_]+\.[a-z_]+$/, 'A type of event has two words with a dot between them.')
  .describe('A type of event, such as `contact.created`.');
const target = z.strictObject({ id: z.string().min(1).max(200), name: z.string().max(200) });
const notThere = ['integration_not_found', 'integration_not_available', 'integration_not_connected'] as const;

export const integrationEvents = z.object({
  /** What the service can hear of, and whether it does. */
  topics: z.array(z.object({ name: z.enum(eventTopicNames), isOn: z.boolean() })),
  /** Where at the service events go, such as a channel; null while none is chosen. */
  target: target.nullable(),
  hasTarget: z.boolean(),
  /** Addresses that the service subscribed, for single types of events. */
  hooks: z.number(),
  hasHooks: z.boolean(),
  /** Of the last 30 days. */
  delivered: z.number(),
  waiting: z.number(),
  failed: z.number(),
  version: z.number(),
});

export const integrationEventsContract = {
  get: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/events',
    access: 'settings:read',
    summary: 'What a connection hears of, and where its events go',
    input: one,
    output: integrationEvents,
    errors: notThere,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/integrations/{kind}/events',
    access: 'settings:manage',
    repeat: {
      harmless: 'It names the version that it changes: a second one finds another version and is refused.',
      honoursKey: true,
    },
    summary: 'Sets what a connection hears of, unless it was changed since `version`',
    input: z.strictObject({
      kind,
      topics: z.array(z.enum(eventTopicNames)).max(eventTopicNames.length),
      target: target.nullable(),
      version: z.number().int().min(1).max(2_000_000_000),
    }),
    output: integrationEvents,
    errors: [...notThere, 'integration_changed'],
  }),
  listTargets: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/targets',
    access: 'settings:read',
    summary: 'Where at the service events can go, such as its channels',
    input: one,
    output: z.object({ items: z.array(target) }),
    errors: [...notThere, 'integration_refused'],
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/deliveries',
    access: 'settings:read',
    forKeys: { example },
    summary: 'Events that were sent to a service or wait for it, the newest first, for 30 days',
    input: pageInput.extend({ kind, status: z.enum(deliveryStatuses).optional() }),
    output: page(webhookDelivery),
    errors: notThere,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/deliveries/retry',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Sends every event that failed once more, and goes on with what waits',
    input: one,
    output: integrationEvents,
    errors: notThere,
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/events/test',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Sends a test event to the service',
    input: one,
    output: integrationEvents,
    errors: notThere,
  }),
  subscribe: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/hooks',
    access: 'settings:manage',
    forKeys: {
      example: {
        kind: 'zapier',
        url: 'https://hooks.zapier.com/hooks/standard/1/2/',
        eventType: 'contact.created',
      },
    },
    repeat: { harmless: 'An address is subscribed once: a second request sets the same type of event.' },
    summary: 'Subscribes an address of the service to one type of event. An answer of 410 unsubscribes it',
    input: z.strictObject({ kind, url: z.string().trim().min(1).max(webhookLimits.url), eventType }),
    output: z.object({ id }),
    errors: [
      ...notThere,
      ...(['webhook_url_invalid', 'webhook_url_refused', 'webhook_url_insecure'] as const),
      ...(['webhook_event_unknown', 'webhook_endpoint_limit'] as const),
    ],
  }),
  unsubscribe: endpoint({
    method: 'DELETE',
    path: '/integrations/{kind}/hooks/{endpointId}',
    access: 'settings:manage',
    forKeys: { example: { kind: 'zapier', endpointId: EXAMPLE_ID } },
    repeat: { harmless: 'What is gone stays gone.' },
    summary: 'Unsubscribes an address. One that is gone already is no mistake',
    input: z.strictObject({ kind, endpointId: id }),
    output: z.object({}),
    errors: notThere,
  }),
  listSamples: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/samples/{eventType}',
    access: ['settings:read', 'contacts:read'],
    forKeys: { example: { kind: 'zapier', eventType: 'contact.created' } },
    summary:
      'Up to three events as the service gets them, the newest first; a made-up one where none was sent yet',
    input: z.strictObject({ kind, eventType }),
    output: z.array(z.record(z.string(), z.unknown())),
    errors: [...notThere, 'webhook_event_unknown'],
  }),
};
