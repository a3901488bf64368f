import { factTypes, readDefinition, type FactType } from '../events/fact-catalogue.ts';
import type { Check } from '../events/fact-values.ts';

/** What an endpoint can ask for: each kind of fact that webhooks may carry. Their names are for ever. */
export const webhookEventTypes: readonly FactType[] = factTypes
  .filter((type) => readDefinition(type).forWebhooks)
  .toSorted();

/** Sent by a press of Send test event, to whichever events the endpoint has. */
export const TEST_EVENT = 'webhook.test';

export type WebhookEvent = {
  type: string;
  /** When it happened, as ISO 8601 in UTC. */
  occurredAt: string;
  subjectKind: string;
  subject: string | null;
  values: Readonly<Record<string, unknown>>;
};

/**
 * The body, as Standard Webhooks recommends it: `type`, `timestamp` and `data`. The id of what it is about stands in `data` under the name of its kind
 * (`contactId`), beside the values of the fact. Its id is the header `webhook-id`.
 */
export function webhookBody({ type, occurredAt, subjectKind, subject, values }: WebhookEvent): string {
  const about = subject === null ? {} : { [idName(subjectKind)]: subject };
  return JSON.stringify({ type, timestamp: occurredAt, data: { ...about, ...values } });
}

/** `contact` → `contactId`, `contact-import` → `contactImportId`. */
export function idName(subjectKind: string): string {
  return `${subjectKind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
}

/** An event of this type with made-up values of the right shape, for the reference and for tests of receivers. */
export function exampleEvent(type: FactType, occurredAt: string): WebhookEvent {
  const { subject, values } = readDefinition(type);
  return {
    ...{ type, occurredAt, subjectKind: subject, subject: EXAMPLE_ID },
    values: Object.fromEntries(Object.entries(values).map(([name, check]) => [name, exampleOf(name, check)])),
  };
}

const EXAMPLE_ID = '0193a6f0-0000-7000-8000-000000000001';

function exampleOf(name: string, check: Check<unknown>): unknown {
  const texts = /ids?$/i.test(name) ? [EXAMPLE_ID] : ['Example', '2026-11-27T10:00:00.000Z', '+447700900123'];
  const change = { field: 'custom.size', before: 'M', after: 'L' };
  const single = [...texts, 3, true, {}, change, EXAMPLE_ID];
  const word = check.words?.find((candidate) => check(candidate));
  if (word !== undefined) return word;
  return [...single, ...single.map((value) => [value]), [], null].find((value) => check(value)) ?? null;
}
