import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { EventList, TooManyEvents } from './event-list.ts';
import { flattenJson } from './flatten-json.ts';
import {
  idOf,
  isRecord,
  type JsonRecord,
  listOf,
  parseJson,
  recordOf,
  restOf,
  textOf,
} from '../json-reading.ts';
import { readCall } from './webhook-calls.ts';
import { readManagementEvent } from './webhook-management.ts';
import { readEcho, readHistory, readMessage } from './webhook-messages.ts';
import { indexPeople, type People, readTimestamp } from './webhook-people.ts';
import { readContactSync, readGroup } from './webhook-notices.ts';
import { emptySource, problemEvent, textEvent, unknownEvent, type WebhookSource } from './webhook-source.ts';
import { readPreference, readStatus } from './webhook-statuses.ts';

/** Far above what the platform sends: thousands of old messages at most, a thousand of anything else. */
const MOST_EVENTS = 20_000;

/** Lists, records and what stands in them: in the 3 MB that the platform sends at most, each would have ten bytes. */
const MOST_PARTS = 300_000;

/** A payload of the platform nests about ten deep. */
const DEEPEST = 50;

/**
 * Turns the body of one webhook into events, in the order of the body. Never throws and drops nothing: what it does not
 * understand becomes an `unknown` event that holds the part as it came. Null for a body with more events than the platform sends.
 */
export function parseWebhook(body: Uint8Array | string): InboundEvent[] | null {
  const text =
    typeof body === 'string'
      ? body
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const events = new EventList(MOST_EVENTS);
  try {
    readPayload(text, events);
    return events.events;
  } catch (error) {
    if (error instanceof TooManyEvents) return null;
    return [textEvent(text)];
  }
}

function readPayload(text: string, events: EventList): void {
  const flat = flattenJson(text, DEEPEST, MOST_PARTS);
  if (flat === null) throw new TooManyEvents();
  const payload = parseJson(flat);
  const entries = recordOf(payload)['entry'];
  if (!isRecord(payload) || !Array.isArray(entries) || entries.length === 0) {
    events.push(
      payload === undefined ? textEvent(text) : unknownEvent(emptySource, 'unexpected_shape', payload),
    );
    return;
  }
  for (const entry of entries) readEntry(entry, events);
  const isOurObject = payload['object'] === 'whatsapp_business_account';
  keepRest(emptySource, restOf(payload, isOurObject ? ['entry', 'object'] : ['entry']), events);
}

function readEntry(entry: unknown, events: EventList): void {
  const changes = recordOf(entry)['changes'];
  if (!isRecord(entry) || !Array.isArray(changes) || changes.length === 0) {
    events.push(unknownEvent(emptySource, 'unexpected_shape', entry));
    return;
  }
  const wabaId = idOf(entry['id']);
  const entryTime = readTimestamp(entry['time']);
  for (const change of changes)
    readChange({ ...emptySource, wabaId: wabaId ?? '', entryTime }, change, events);
  const known = ['changes', ...(wabaId === null ? [] : ['id']), ...(entryTime === 0 ? [] : ['time'])];
  keepRest({ ...emptySource, wabaId: wabaId ?? '' }, restOf(entry, known), events);
}

function readChange(entrySource: WebhookSource, change: unknown, events: EventList): void {
  const field = textOf(recordOf(change)['field']) ?? '';
  const value = recordOf(change)['value'];
  const metadata = recordOf(recordOf(value)['metadata']);
  const source: WebhookSource = {
    ...entrySource,
    field,
    phoneNumberId: idOf(metadata['phone_number_id']),
    displayPhoneNumber: textOf(metadata['display_phone_number']),
  };
  if (!isRecord(change) || !isRecord(value)) {
    events.push(unknownEvent(source, 'unexpected_shape', change));
    return;
  }
  if (CONVERSATIONS.has(field)) readConversation(source, value, events);
  else events.push(readManagementEvent(source, value) ?? unknownEvent(source, 'unknown_field', value));
  keepRest(source, restOf(change, field === '' ? ['value'] : ['field', 'value']), events);
}

/** Fields whose values are lists of elements about people and chats. */
const CONVERSATIONS = new Set([
  ...['messages', 'user_preferences', 'smb_message_echoes', 'message_echoes', 'history', 'calls'],
  ...['smb_app_state_sync', 'group_lifecycle_update', 'group_participants_update'],
  ...['group_settings_update', 'group_status_update'],
]);

type ElementReader = (element: unknown) => InboundEvent | undefined;

/** The lists of a value, whichever of them stand side by side; all that is none of them is kept as one event. */
function readConversation(source: WebhookSource, value: JsonRecord, events: EventList): void {
  const before = events.length;
  const people = indexPeople(value['contacts']);
  const problems = listOf(value['errors']);
  const origin = source.field === 'history' ? 'history' : 'live';
  const readers: Record<string, ElementReader> = {
    statuses: (element) => readStatus(source, element, people),
    messages: (element) => readMessage(source, element, people, problems, origin),
    message_echoes: (element) => readEcho(source, element, people),
    user_preferences: (element) => readPreference(source, element, people),
    calls: (element) => readCall(source, element, people),
    groups: (element) => readGroup(source, element),
    state_sync: (element) => readContactSync(source, element),
  };
  for (const [list, read] of Object.entries(readers))
    for (const element of listOf(value[list]))
      events.push(read(element) ?? unknownEvent(source, 'unexpected_shape', element));
  readHistory(source, listOf(value['history']), events);
  if (problems.length > 0) events.push(problemEvent(source, problems));
  if (events.length === before) events.push(unknownEvent(source, 'unexpected_shape', value));
  else
    keepRest(
      source,
      restOfConversation(source, value, people, [...Object.keys(readers), 'history', 'errors']),
      events,
    );
}

function restOfConversation(
  source: WebhookSource,
  value: JsonRecord,
  people: People,
  lists: readonly string[],
): JsonRecord | undefined {
  const known = lists.filter((list) => Array.isArray(value[list]));
  if (value['messaging_product'] === 'whatsapp') known.push('messaging_product');
  if (Array.isArray(value['contacts']) && people.unnamed.size === 0) known.push('contacts');
  if (isRecord(value['metadata']) && !restOfMetadata(source, value['metadata'])) known.push('metadata');
  const rest = restOf(value, known);
  return rest?.['contacts'] === undefined || people.unnamed.size === 0
    ? rest
    : { ...rest, contacts: [...people.unnamed] };
}

function restOfMetadata(source: WebhookSource, metadata: JsonRecord): JsonRecord | undefined {
  const known = source.phoneNumberId === null ? [] : ['phone_number_id'];
  return restOf(metadata, source.displayPhoneNumber === null ? known : [...known, 'display_phone_number']);
}

function keepRest(source: WebhookSource, rest: JsonRecord | undefined, events: EventList): void {
  if (rest) events.push(unknownEvent(source, 'unexpected_shape', rest));
}
