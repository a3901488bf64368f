import { isObject, objectOf, objectsOf, type JsonObject } from '../core/json.ts';

export type ValidationMessage = { fieldPath: string; description: string; validationCode: string };

/** developers.google.com, Measurement Protocol: limits and reserved names. */
const MOST = { events: 25, params: 25, name: 40, value: 100 };
const reserved = new Set([
  'ad_click',
  'app_update',
  'first_open',
  'first_visit',
  'session_start',
  'user_engagement',
]);

/** What the vendor says of a body; nothing for a good one. It does not look at the ID and the secret. */
export function validateMeasurement(body: unknown, now: number): ValidationMessage[] {
  const messages: ValidationMessage[] = [];
  const say = (fieldPath: string, validationCode: string, description: string) =>
    messages.push({ fieldPath, description, validationCode });
  if (!isObject(body)) {
    say('', 'VALUE_INVALID', 'Unable to parse Measurement Protocol JSON payload.');
    return messages;
  }
  if (typeof body['client_id'] !== 'string' || body['client_id'] === '')
    say('client_id', 'VALUE_REQUIRED', 'Measurement requires a client_id.');
  const at = Number(body['timestamp_micros'] ?? now * 1_000) / 1_000;
  if (!(at > now - 72 * 3_600_000 && at < now + 3_600_000))
    say(
      'timestamp_micros',
      'VALUE_OUT_OF_BOUNDS',
      'The timestamp is more than 72 hours in the past or in the future.',
    );
  const events = objectsOf(body['events']);
  if (events.length === 0) say('events', 'VALUE_REQUIRED', 'Measurement requires at least one event.');
  if (events.length > MOST.events)
    say('events', 'EXCEEDED_MAX_ENTITIES', `Measurement may have at most ${MOST.events} events.`);
  for (const event of events) checkEvent(event, say);
  return messages;
}

function checkEvent(event: JsonObject, say: (path: string, code: string, words: string) => void): void {
  const name = typeof event['name'] === 'string' ? event['name'] : '';
  if (!isName(name)) say('events.name', 'NAME_INVALID', `Event at index: [0] has invalid name [${name}].`);
  if (reserved.has(name) || /^(ga|google|firebase)_/.test(name))
    say('events.name', 'NAME_RESERVED', `Event at index: [0] has name [${name}] which is reserved.`);
  const params = Object.entries(objectOf(event['params']));
  if (params.length > MOST.params)
    say('events.params', 'EXCEEDED_MAX_ENTITIES', `Event [${name}] has more than ${MOST.params} parameters.`);
  for (const [param, value] of params) {
    if (!isName(param)) say('events.params', 'NAME_INVALID', `Parameter [${param}] has an invalid name.`);
    if (typeof value === 'string' && Array.from(value).length > MOST.value)
      say(
        'events.params',
        'VALUE_INVALID',
        `Parameter [${param}] has a value longer than ${MOST.value} characters.`,
      );
    if (typeof value === 'object')
      say('events.params', 'VALUE_INVALID', `Parameter [${param}] has an invalid value.`);
  }
}

const isName = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && name.length <= MOST.name;
