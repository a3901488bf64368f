import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from './json-reading.ts';
import { readManagementEvent } from './webhook-management.ts';
import { readEcho, readHistory, readMessage } from './webhook-messages.ts';
import { findPerson, indexPeople } from './webhook-people.ts';
import { emptySource, textEvent, unknownEvent, type WebhookSource } from './webhook-source.ts';
import { readPreference, readStatus } from './webhook-statuses.ts';

/**
 * Turns the body of one webhook into events, in the order of the body. Never throws and drops nothing: what it does not
 * understand becomes an `unknown` event that holds the part as it came.
 */
export function parseWebhook(body: Uint8Array | string): InboundEvent[] {
  const text =
    typeof body === 'string'
      ? body
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    return readPayload(text);
  } catch {
    // Only a payload nested deeper than the stack gets here. It is kept as text.
    return [textEvent(text)];
  }
}

function readPayload(text: string): InboundEvent[] {
  const payload = parseJson(text);
  const entries = recordOf(payload)['entry'];
  if (!Array.isArray(entries)) {
    return [payload === undefined ? textEvent(text) : unknownEvent(emptySource, 'unexpected_shape', payload)];
  }
  const events: InboundEvent[] = [];
  for (const entry of entries) readEntry(entry, events);
  return events;
}

function readEntry(entry: unknown, events: InboundEvent[]): void {
  const changes = recordOf(entry)['changes'];
  if (!isRecord(entry) || !Array.isArray(changes)) {
    events.push(unknownEvent(emptySource, 'unexpected_shape', entry));
    return;
  }
  const wabaId = textOf(entry['id']) ?? '';
  const entryTime = (numberOf(entry['time']) ?? 0) * 1000;
  for (const change of changes) {
    const field = textOf(recordOf(change)['field']) ?? '';
    const value = recordOf(change)['value'];
    const metadata = recordOf(recordOf(value)['metadata']);
    const source: WebhookSource = {
      field,
      wabaId,
      phoneNumberId: textOf(metadata['phone_number_id']),
      displayPhoneNumber: textOf(metadata['display_phone_number']),
      entryTime,
    };
    if (isRecord(value)) readChange(source, value, events);
    else events.push(unknownEvent(source, 'unexpected_shape', change));
  }
}

function readChange(source: WebhookSource, value: JsonRecord, events: InboundEvent[]): void {
  const before = events.length;
  switch (source.field) {
    case 'messages':
    case 'user_preferences':
      readConversation(source, value, events);
      break;
    case 'smb_message_echoes':
      for (const echo of listOf(value['message_echoes'])) {
        events.push(readEcho(source, echo) ?? unknownEvent(source, 'unexpected_shape', echo));
      }
      break;
    case 'history':
      readHistory(source, value, events);
      break;
    default: {
      const event = readManagementEvent(source, value);
      events.push(event ?? unknownEvent(source, 'unknown_field', value));
    }
  }
  if (events.length === before) {
    events.push(
      unknownEvent(source, Array.isArray(value['errors']) ? 'errors_only' : 'unexpected_shape', value),
    );
  }
}

function readConversation(source: WebhookSource, value: JsonRecord, events: InboundEvent[]): void {
  const people = indexPeople(value['contacts']);
  const problems = listOf(value['errors']);
  for (const status of listOf(value['statuses'])) {
    events.push(readStatus(source, status, people) ?? unknownEvent(source, 'unexpected_shape', status));
  }
  for (const message of listOf(value['messages'])) {
    const event = readMessage(source, message, people, problems, 'live');
    events.push(event ?? unknownEvent(source, 'unexpected_shape', message));
  }
  for (const preference of listOf(value['user_preferences'])) {
    const record = recordOf(preference);
    const person = findPerson(people, textOf(record['wa_id']), textOf(record['user_id']));
    events.push(
      readPreference(source, record, person) ?? unknownEvent(source, 'unexpected_shape', preference),
    );
  }
}
