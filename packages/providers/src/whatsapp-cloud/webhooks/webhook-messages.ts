import type {
  IdentityChanged,
  MessageContext,
  MessageReceived,
  Referral,
} from '@app/domain/messaging/inbound-event';
import type { EventList } from './event-list.ts';
import { readWebhookError } from '../graph-error.ts';
import { idOf, isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json-reading.ts';
import { problemEvent, unknownEvent, type WebhookSource } from './webhook-source.ts';
import { readContent } from './webhook-content.ts';
import { findPerson, meetPerson, type People, readPhone, readTimestamp } from './webhook-people.ts';

/** One element of `messages[]`; undefined when it has no id. */
export function readMessage(
  source: WebhookSource,
  value: unknown,
  people: People | null,
  problems: readonly unknown[],
  origin: 'live' | 'history',
): MessageReceived | IdentityChanged | undefined {
  if (!isRecord(value)) return undefined;
  const messageId = idOf(value['id']);
  if (messageId === null) return undefined;
  const met = meetPerson(people, value['from'], value['from_user_id']);
  if (value['type'] === 'system') return readIdentityChange(source, value, messageId, met);
  const errors = listOf(value['errors']);
  return {
    ...describeMessage(source, value, messageId),
    origin,
    direction: 'in',
    ...met,
    errors: (errors.length > 0 ? errors : problems).map(readWebhookError),
  };
}

/** A message that the owner wrote in the phone app. */
export function readEcho(source: WebhookSource, value: unknown, people: People): MessageReceived | undefined {
  if (!isRecord(value)) return undefined;
  const messageId = idOf(value['id']);
  if (messageId === null) return undefined;
  return {
    ...describeMessage(source, value, messageId),
    origin: 'echo',
    direction: 'out',
    ...meetPerson(people, value['to'], value['to_user_id']),
    errors: listOf(value['errors']).map(readWebhookError),
  };
}

/** Messages from before the connection, in threads of text. What a part says beside them is kept as one event. */
export function readHistory(source: WebhookSource, parts: readonly unknown[], events: EventList): void {
  for (const part of parts) {
    const before = events.length;
    const { threads, errors, ...beside } = recordOf(part);
    const metadata = recordOf(beside['metadata']);
    const partSource = {
      ...source,
      phoneNumberId: source.phoneNumberId ?? idOf(metadata['phone_number_id']),
    };
    for (const thread of listOf(threads)) readThread(partSource, recordOf(thread), events);
    if (listOf(errors).length > 0) events.push(problemEvent(partSource, listOf(errors)));
    else if (errors !== undefined) Object.assign(beside, { errors });
    if (events.length === before) {
      events.push(unknownEvent(source, 'unexpected_shape', part));
      continue;
    }
    if (Object.keys(beside).length === 0 && threads === undefined) continue;
    const restOfThreads = listOf(threads).map((thread) => {
      const { messages, ...rest } = recordOf(thread);
      return isRecord(thread) && Array.isArray(messages) ? rest : thread;
    });
    events.push(unknownEvent(source, 'unexpected_shape', { ...beside, threads: restOfThreads }));
  }
}

function readThread(source: WebhookSource, thread: JsonRecord, events: EventList): void {
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
    account: source.wabaId,
    address: source.phoneNumberId,
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
  { person: from, ...contact }: ReturnType<typeof meetPerson>,
): IdentityChanged {
  const system = recordOf(value['system']);
  return {
    type: 'identity_changed',
    dedupKey: `message:${messageId}`,
    occurredAt: readTimestamp(value['timestamp']),
    account: source.wabaId,
    address: source.phoneNumberId,
    change: readChangeKind(textOf(system['type'])),
    messageId,
    from,
    newPhone: readPhone(system['wa_id']),
    newUserId: idOf(system['user_id']),
    text: textOf(system['body']),
    raw: value,
    ...contact,
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
