import type {
  CallProgress,
  MessageStatusReported,
  PaymentEvent,
  PreferenceChanged,
  StatusPricing,
} from '@app/domain/messaging/inbound-event';
import { decideErrorAction } from '../error-table.ts';
import { readWebhookError } from '../graph-error.ts';
import { idOf, isRecord, type JsonRecord, listOf, textOf } from '../json-reading.ts';
import { readCallStatus } from './webhook-calls.ts';
import { managementKey, type WebhookSource } from './webhook-source.ts';
import { meetPerson, type People, readTimestamp } from './webhook-people.ts';

/** One element of `statuses[]`; undefined when it has no message id or a status that we do not know. */
export function readStatus(
  source: WebhookSource,
  value: unknown,
  people: People,
): MessageStatusReported | CallProgress | PaymentEvent | undefined {
  if (!isRecord(value)) return undefined;
  if (value['type'] === 'call') return readCallStatus(source, value, people);
  if (value['type'] === 'payment') return readPayment(source, value, people);
  const messageId = idOf(value['id']);
  const status = readStatusName(value['status']);
  if (messageId === null || status === undefined) return undefined;

  const isGroup = value['recipient_type'] === 'group';
  const recipientId = idOf(value['recipient_id']);
  const phone = isGroup ? idOf(value['recipient_participant_id']) : recipientId;
  const userId = idOf(isGroup ? value['recipient_participant_user_id'] : value['recipient_user_id']);
  const { person: recipient, ...contact } = meetPerson(people, phone, userId);
  const error = status === 'failed' ? readWebhookError(listOf(value['errors'])[0]) : null;
  return {
    type: 'message_status',
    dedupKey: `status:${messageId}:${status}:${phone ?? userId ?? ''}`,
    occurredAt: readTimestamp(value['timestamp']),
    account: source.wabaId,
    address: source.phoneNumberId,
    messageId,
    status,
    tag: textOf(value['biz_opaque_callback_data']),
    recipient,
    groupId: isGroup ? recipientId : null,
    error,
    action: error === null ? null : decideErrorAction(error.code),
    pricing: readPricing(value['pricing']),
    raw: value,
    ...contact,
  };
}

/** One element of `user_preferences[]`; undefined for a value that we do not know. */
export function readPreference(
  source: WebhookSource,
  value: unknown,
  people: People,
): PreferenceChanged | undefined {
  if (!isRecord(value)) return undefined;
  const preference = value['value'];
  if (preference !== 'stop' && preference !== 'resume' && preference !== 'signup') return undefined;
  const who = idOf(value['wa_id']) ?? idOf(value['user_id']) ?? '';
  return {
    type: 'preference_changed',
    dedupKey: `preference:${source.wabaId}:${who}:${preference}:${textOf(value['timestamp']) ?? ''}${categoryKey(value['category'])}`,
    occurredAt: readTimestamp(value['timestamp']),
    account: source.wabaId,
    address: source.phoneNumberId,
    preference,
    category: textOf(value['category']),
    signupId: textOf(value['signup_id']),
    ...meetPerson(people, value['wa_id'], value['user_id']),
    raw: value,
  };
}

/** A payment has states of its own under the id of the message that asked for it: a failed one says nothing of that message. */
function readPayment(source: WebhookSource, value: JsonRecord, people: People): PaymentEvent | undefined {
  const status = textOf(value['status'])?.toLowerCase() ?? '';
  if (status === '') return undefined;
  return {
    type: 'payment_event',
    dedupKey: managementKey(source, value),
    occurredAt: readTimestamp(value['timestamp']),
    account: source.wabaId,
    address: source.phoneNumberId,
    status,
    raw: value,
    ...meetPerson(people, value['recipient_id'], value['recipient_user_id']),
  };
}

/** Two kinds of messages may be stopped in one second. */
function categoryKey(category: unknown): string {
  return category === undefined || category === 'marketing_messages' ? '' : `:${textOf(category) ?? ''}`;
}

function readStatusName(value: unknown): MessageStatusReported['status'] | undefined {
  switch (value) {
    case 'sent':
    case 'delivered':
    case 'read':
    case 'played':
    case 'failed':
      return value;
    default:
      return undefined;
  }
}

function readPricing(value: unknown): StatusPricing | null {
  if (!isRecord(value)) return null;
  const billable = value['billable'];
  return {
    model: textOf(value['pricing_model']),
    type: textOf(value['type']),
    category: textOf(value['category']),
    billable: typeof billable === 'boolean' ? billable : null,
  };
}
