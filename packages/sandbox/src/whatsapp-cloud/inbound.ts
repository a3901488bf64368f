import { isObject, objectOf, textOf, type JsonObject } from '../core/json.ts';
import { newInboundMessageId } from './ids.ts';
import { storeInboundMedia } from './inbound-media.ts';
import type { ChatEntry } from './messages/conversations.ts';
import type { Platform } from './platform.ts';
import { sampleIds } from './seed.ts';
import type { BusinessNumber } from './store.ts';
import { contactOf } from './webhook-payloads.ts';

/**
 * What a customer does: `{from, name?, text}`, `{from, media: {mimeType, filename?, caption?, data (base64), voice?}}`,
 * `{from, media: {sample: 'voice'}}`
 * or `{from, message: {type, …}}` in the platform's own shape. Opens the 24-hour window and sends the webhook.
 * Returns the id of the message, or what is wrong with the input.
 */
export function receiveInbound(
  platform: Platform,
  input: JsonObject,
): { messageId: string } | { problem: string } {
  const given = objectOf(input['message']);
  const { people, conversations } = platform;
  const from = people.waIdOf((textOf(input['from']) ?? textOf(given['from']) ?? '').replace(/\D/g, ''));
  if (from.length < 5 || from.length > 15) return { problem: 'from must be a phone number' };
  const numberId = textOf(input['phoneNumberId']) ?? textOf(input['to']) ?? sampleIds.number;
  const number = platform.store.numbers.get(numberId);
  if (!number) return { problem: `there is no phone number id ${numberId}` };
  const content = contentOf(platform, number, input, given);
  if (!content) return { problem: 'give text, media or message' };
  const name = textOf(input['name']);
  if (name) people.change(from, { name });
  people.meet(from);
  const messageId = textOf(given['id']) ?? newInboundMessageId(from);
  const now = Date.now();
  const message: JsonObject = {
    ...(people.hidesNumber(from) ? {} : { from }),
    from_user_id: people.userIdOf(from),
    id: messageId,
    timestamp: String(Math.floor(now / 1000)),
    ...(isObject(input['context']) ? { context: input['context'] } : {}),
    ...content,
  };
  if (message['type'] !== 'system') conversations.noteInbound(number.id, from, now);
  const entry: ChatEntry = {
    at: now,
    direction: 'in',
    numberId: number.id,
    user: from,
    index: null,
    messageId,
    message,
    template: null,
    state: 'sent',
  };
  conversations.entries.add(entry);
  const contacts = [contactOf(people, from)];
  const errors = input['errors'];
  const value = {
    ...(message['type'] === 'system' ? {} : { contacts }),
    ...(errors ? { errors } : {}),
    messages: [message],
  };
  const summary = `messages: ${textOf(message['type'])} from ${from}`;
  platform.sendNumberWebhook(number, 'messages', value, summary, () => {
    if (entry.state === 'sent') entry.state = 'delivered';
    platform.changed();
  });
  return { messageId };
}

function contentOf(
  platform: Platform,
  number: BusinessNumber,
  input: JsonObject,
  given: JsonObject,
): JsonObject | undefined {
  if (textOf(given['type'])) return given;
  const media = input['media'];
  if (isObject(media)) return storeInboundMedia(platform, number, media);
  const text = textOf(input['text']);
  return text === undefined ? undefined : { type: 'text', text: { body: text } };
}
