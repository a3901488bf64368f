import type {
  IdentityChanged,
  InboundEvent,
  MessageContext,
  MessageReceived,
  Referral,
} from '@app/domain/messaging/inbound-event';
import { readWebhookError } from './graph-error.ts';
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from './json-reading.ts';
import { unknownEvent, type WebhookSource } from './webhook-source.ts';
import { readContent } from './webhook-content.ts';
import { findPerson, type People, readPhone, readTimestamp } from './webhook-people.ts';

/** One element of `messages[]`; undefined when it has no id. */
export function readMessage(
  source: WebhookSource,
  value: unknown,
  people: People,
  problems: readonly unknown[],
  origin: 'live' | 'history',
): MessageReceived | IdentityChanged | undefined {
  if (!isRecord(value)) return undefined;
  const messageId = textOf(value['id']);
  if (messageId === null || messageId === '') return undefined;
  const person = findPerson(people, textOf(value['from']), textOf(value['from_user_id']));
  if (value['type'] === 'system') return readIdentityChange(source, value, messageId, person);
  const errors = listOf(value['errors']);
  return {
    ...describeMessage(source, value, messageId),
    origin,
    direction: 'in',
    person,
    errors: (errors.length > 0 ? errors : problems).map(readWebhookError),
  };
}

/** A message that the owner wrote in the phone app. */
export function readEcho(source: WebhookSource, value: unknown): MessageReceived | undefined {
  if (!isRecord(value)) return undefined;
  const messageId = textOf(value['id']);
  if (messageId === null || messageId === '') return undefined;
  return {
    ...describeMessage(source, value, messageId),
    origin: 'echo',
    direction: 'out',
    person: findPerson(null, textOf(value['to']), textOf(value['to_user_id'])),
    errors: listOf(value['errors']).map(readWebhookError),
  };
}

/** Messages from before the connection: threads of text, or media that follow later on their own. */
export function readHistory(source: WebhookSource, value: JsonRecord, events: InboundEvent[]): void {
  for (const part of listOf(value['history'])) {
    const before = events.length;
    const metadata = recordOf(recordOf(part)['metadata']);
    const partSource = {
      ...source,
      phoneNumberId: source.phoneNumberId ?? textOf(metadata['phone_number_id']),
    };
    for (const thread of listOf(recordOf(part)['threads'])) readThread(partSource, recordOf(thread), events);
    if (events.length === before) {
      const hasErrors = Array.isArray(recordOf(part)['errors']);
      events.push(unknownEvent(source, hasErrors ? 'errors_only' : 'unexpected_shape', part));
    }
  }
  for (const message of listOf(value['messages'])) {
    events.push(
      readMessage(source, message, null, [], 'history') ?? unknownEvent(source, 'unexpected_shape', message),
    );
  }
}

function readThread(source: WebhookSource, thread: JsonRecord, events: InboundEvent[]): void {
  const customer = readPhone(thread['id']);
  for (const message of listOf(thread['messages'])) {
    const event = readMessage(source, message, null, [], 'history');
    if (event?.type !== 'message_received') {
      events.push(event ?? unknownEvent(source, 'unexpected_shape', message));
      continue;
    }
    const isOurs = event.person.phone !== null && customer !== null && event.person.phone !== customer;
    events.push({
      ...event,
      direction: isOurs ? 'out' : 'in',
      person: isOurs ? findPerson(null, customer, null) : event.person,
    });
  }
}

function describeMessage(
  source: WebhookSource,
  value: JsonRecord,
  messageId: string,
): Omit<MessageReceived, 'origin' | 'direction' | 'person' | 'errors'> {
  return {
    type: 'message_received',
    dedupKey: `message:${messageId}`,
    occurredAt: readTimestamp(value['timestamp']),
    wabaId: source.wabaId,
    phoneNumberId: source.phoneNumberId,
    messageId,
    content: readContent(value),
    context: readContext(value['context']),
    referral: readReferral(value['referral']),
    groupId: textOf(value['group_id']),
    historyStatus: textOf(recordOf(value['history_context'])['status']),
    raw: value,
  };
}

function readContext(value: unknown): MessageContext | null {
  if (!isRecord(value)) return null;
  const product = value['referred_product'];
  return {
    quotedMessageId: textOf(value['id']),
    forwarded: value['forwarded'] === true || value['frequently_forwarded'] === true,
    frequentlyForwarded: value['frequently_forwarded'] === true,
    referredProduct: isRecord(product)
      ? { catalogId: textOf(product['catalog_id']), productId: textOf(product['product_retailer_id']) }
      : null,
  };
}

function readReferral(value: unknown): Referral | null {
  if (!isRecord(value)) return null;
  return {
    sourceType: textOf(value['source_type']),
    sourceId: textOf(value['source_id']),
    sourceUrl: textOf(value['source_url']),
    headline: textOf(value['headline']),
    body: textOf(value['body']),
    clickId: textOf(value['ctwa_clid']),
  };
}

function readIdentityChange(
  source: WebhookSource,
  value: JsonRecord,
  messageId: string,
  from: IdentityChanged['from'],
): IdentityChanged {
  const system = recordOf(value['system']);
  return {
    type: 'identity_changed',
    dedupKey: `message:${messageId}`,
    occurredAt: readTimestamp(value['timestamp']),
    wabaId: source.wabaId,
    phoneNumberId: source.phoneNumberId,
    change: readChangeKind(textOf(system['type'])),
    messageId,
    from,
    newPhone: readPhone(system['wa_id']),
    newUserId: textOf(system['user_id']),
    text: textOf(system['body']),
    raw: value,
  };
}

function readChangeKind(type: string | null): IdentityChanged['change'] {
  switch (type) {
    case 'user_changed_number':
      return 'phone';
    case 'user_changed_user_id':
      return 'user_id';
    case 'customer_identity_changed':
      return 'device';
    default:
      return 'other';
  }
}
