import type { CallProgress, MessageReceived } from '@app/domain/messaging/inbound-event';
import { readWebhookError } from '../graph-error.ts';
import { idOf, isRecord, type JsonRecord, listOf, numberOf, textOf } from '../json-reading.ts';
import { meetPerson, type People, readTimestamp } from './webhook-people.ts';
import type { WebhookSource } from './webhook-source.ts';

/**
 * One element of `calls[]`. A call that has ended is a message of the chat: missed where it has no duration. Every other step is kept as it came; undefined
 * without an id or an event.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/calling/reference
 */
export function readCall(
  source: WebhookSource,
  value: unknown,
  people: People,
): MessageReceived | CallProgress | undefined {
  if (!isRecord(value)) return undefined;
  const callId = idOf(value['id']);
  const event = textOf(value['event'])?.toLowerCase() ?? '';
  if (callId === null || event === '') return undefined;
  const isOurs = value['direction'] === 'BUSINESS_INITIATED';
  const met = meetPerson(
    people,
    isOurs ? value['to'] : value['from'],
    isOurs ? value['to_user_id'] : value['from_user_id'],
  );
  const base = {
    occurredAt: readTimestamp(value['timestamp']),
    account: source.wabaId,
    address: source.phoneNumberId,
    raw: value,
    ...met,
  };
  if (event !== 'terminate')
    return { ...base, type: 'call_progress', dedupKey: `call:${callId}:${event}`, callId, step: event };
  const seconds = secondsOf(value);
  return {
    ...base,
    type: 'message_received',
    dedupKey: `message:${callId}`,
    origin: isOurs ? 'echo' : 'live',
    direction: isOurs ? 'out' : 'in',
    messageId: callId,
    content: { type: 'call', outcome: seconds === null ? 'missed' : 'answered', seconds },
    context: null,
    referral: null,
    groupId: null,
    errors: listOf(value['errors']).map(readWebhookError),
    historyStatus: null,
  };
}

/** One element of `statuses[]` with the type `call`: a call of ours rings, was accepted or rejected. */
export function readCallStatus(
  source: WebhookSource,
  value: JsonRecord,
  people: People,
): CallProgress | undefined {
  const callId = idOf(value['id']);
  const step = textOf(value['status'])?.toLowerCase() ?? '';
  if (callId === null || step === '') return undefined;
  return {
    type: 'call_progress',
    dedupKey: `call:${callId}:${step}`,
    occurredAt: readTimestamp(value['timestamp']),
    account: source.wabaId,
    address: source.phoneNumberId,
    callId,
    step,
    raw: value,
    ...meetPerson(people, value['recipient_id'], value['recipient_user_id']),
  };
}

/** How long people talked, in seconds; null for a call that nobody answered. */
function secondsOf(value: JsonRecord): number | null {
  const status = listOf(value['status'])[0] ?? value['status'];
  if (status === 'FAILED') return null;
  const duration = numberOf(value['duration']);
  return duration !== null && duration > 0 ? Math.round(duration) : null;
}
