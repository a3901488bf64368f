import type {
  ChannelPerson,
  MessageStatusReported,
  PreferenceChanged,
  StatusPricing,
} from '@app/domain/messaging/inbound-event';
import { decideErrorAction } from './error-table.ts';
import { readWebhookError } from './graph-error.ts';
import { isRecord, type JsonRecord, listOf, textOf } from './json-reading.ts';
import type { WebhookSource } from './webhook-source.ts';
import { findPerson, type People, readTimestamp } from './webhook-people.ts';

/** One element of `statuses[]`; undefined when it has no message id or a status that we do not know. */
export function readStatus(
  source: WebhookSource,
  value: unknown,
  people: People,
): MessageStatusReported | undefined {
  if (!isRecord(value)) return undefined;
  const messageId = textOf(value['id']);
  const status = readStatusName(value['status']);
  if (messageId === null || messageId === '' || status === undefined) return undefined;

  const isGroup = value['recipient_type'] === 'group';
  const recipientId = textOf(value['recipient_id']);
  const phone = isGroup ? textOf(value['recipient_participant_id']) : recipientId;
  const userId = textOf(isGroup ? value['recipient_participant_user_id'] : value['recipient_user_id']);
  const error = status === 'failed' ? readWebhookError(listOf(value['errors'])[0]) : null;
  return {
    type: 'message_status',
    dedupKey: `status:${messageId}:${status}:${phone ?? userId ?? ''}`,
    occurredAt: readTimestamp(value['timestamp']),
    wabaId: source.wabaId,
    phoneNumberId: source.phoneNumberId,
    messageId,
    status,
    tag: textOf(value['biz_opaque_callback_data']),
    recipient: findPerson(people, phone, userId),
    groupId: isGroup ? recipientId : null,
    error,
    action: error === null ? null : decideErrorAction(error.code),
    pricing: readPricing(value['pricing']),
    raw: value,
  };
}

/** One element of `user_preferences[]`; undefined for a value that we do not know. */
export function readPreference(
  source: WebhookSource,
  value: JsonRecord,
  person: ChannelPerson,
): PreferenceChanged | undefined {
  const preference = value['value'];
  if (preference !== 'stop' && preference !== 'resume' && preference !== 'signup') return undefined;
  const who = textOf(value['wa_id']) ?? textOf(value['user_id']) ?? '';
  return {
    type: 'preference_changed',
    dedupKey: `preference:${source.wabaId}:${who}:${preference}:${textOf(value['timestamp']) ?? ''}`,
    occurredAt: readTimestamp(value['timestamp']),
    wabaId: source.wabaId,
    phoneNumberId: source.phoneNumberId,
    preference,
    category: textOf(value['category']),
    signupId: textOf(value['signup_id']),
    person,
    raw: value,
  };
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
