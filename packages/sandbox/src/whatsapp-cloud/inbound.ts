import { createHash } from 'node:crypto';
import { isObject, objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import { newInboundMessageId, userIdOf } from './ids.ts';
import { magicEffectOf } from './magic-numbers.ts';
import type { OutgoingMessage } from './messages/message-rules.ts';
import type { Platform } from './platform.ts';
import { sampleIds } from './seed.ts';
import type { BusinessNumber, Media, Template } from './store.ts';
import { buttonsOf } from './templates/template-variables.ts';
import { contactOf } from './webhook-payloads.ts';

/**
 * What a customer does: `{from, name?, text}`, `{from, media: {mimeType, filename?, caption?, data (base64), voice?}}`
 * or `{from, message: {type, …}}` in the platform's own shape. Opens the 24-hour window and sends the webhook.
 * Returns the id of the message, or what is wrong with the input.
 */
export function receiveInbound(
  platform: Platform,
  input: JsonObject,
): { messageId: string } | { problem: string } {
  const given = objectOf(input['message']);
  const from = (textOf(input['from']) ?? textOf(given['from']) ?? '').replace(/\D/g, '');
  if (from.length < 5 || from.length > 15) return { problem: 'from must be a phone number' };
  const numberId = textOf(input['phoneNumberId']) ?? textOf(input['to']) ?? sampleIds.number;
  const number = platform.store.numbers.get(numberId);
  if (!number) return { problem: `there is no phone number id ${numberId}` };
  const content = contentOf(platform, number, input, given);
  if (!content) return { problem: 'give text, media or message' };
  const name = textOf(input['name']);
  if (name) platform.conversations.names.set(from, name);
  const messageId = textOf(given['id']) ?? newInboundMessageId(from);
  const now = Date.now();
  const message: JsonObject = {
    ...(magicEffectOf(from)?.hidesNumber ? {} : { from }),
    from_user_id: userIdOf(from),
    id: messageId,
    timestamp: String(Math.floor(now / 1000)),
    ...(isObject(input['context']) ? { context: input['context'] } : {}),
    ...content,
  };
  if (message['type'] !== 'system') platform.conversations.noteInbound(number.id, from, now);
  platform.conversations.entries.add({
    at: now,
    direction: 'in',
    numberId: number.id,
    user: from,
    index: null,
    messageId,
    message,
    template: null,
  });
  const contacts = [contactOf(from, platform.conversations.names.get(from))];
  const errors = input['errors'];
  const value = {
    ...(message['type'] === 'system' ? {} : { contacts }),
    ...(errors ? { errors } : {}),
    messages: [message],
  };
  platform.sendNumberWebhook(number, 'messages', value, `messages: ${textOf(message['type'])} from ${from}`);
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

function storeInboundMedia(platform: Platform, number: BusinessNumber, input: JsonObject): JsonObject {
  const mimeType = textOf(input['mimeType']) ?? 'image/png';
  const bytes = Buffer.from(textOf(input['data']) ?? SAMPLE_PNG, 'base64');
  const media: Media = {
    id: platform.store.ids.next('media'),
    numberId: number.id,
    mimeType,
    filename: textOf(input['filename']) ?? 'file',
    bytes,
    sha256: createHash('sha256').update(bytes).digest(),
    createdAt: Date.now(),
  };
  platform.store.addMedia(media);
  const type = textOf(input['type']) ?? typeOfMedia(mimeType);
  return {
    type,
    [type]: {
      id: media.id,
      mime_type: mimeType,
      // base64 here, hex in the answer of GET /{media-id}: so does the platform
      sha256: media.sha256.toString('base64'),
      ...(textOf(input['caption']) ? { caption: input['caption'] } : {}),
      ...(type === 'document' ? { filename: media.filename } : {}),
      ...(type === 'audio' ? { voice: input['voice'] === true } : {}),
      ...(type === 'sticker' ? { animated: false } : {}),
    },
  };
}

function typeOfMedia(mimeType: string): string {
  const kind = mimeType.split('/')[0] ?? '';
  if (mimeType === 'image/webp') return 'sticker';
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document';
}

const SAMPLE_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';

/** Recipients that answer by themselves a second after the message. */
export function receiveAutomaticAnswer(
  platform: Platform,
  number: BusinessNumber,
  message: OutgoingMessage,
  template: Template | undefined,
  manner: 'echo' | 'tap' | 'stop',
  index: number,
): void {
  const from = message.recipient;
  const context = { from: number.digits, id: platform.messageIds.idOf(index, from) };
  platform.later(1000, () => {
    const tap = manner === 'tap' ? firstTap(message, template) : undefined;
    const echoed = textOf(objectOf(message.body['text'])['body']) ?? `Got your ${message.type}`;
    const answer = tap ? { message: { ...tap, context } } : { text: manner === 'stop' ? 'STOP' : echoed };
    receiveInbound(platform, { from, phoneNumberId: number.id, ...answer });
  });
}

function firstTap(message: OutgoingMessage, template: Template | undefined): JsonObject | undefined {
  if (template) {
    const buttons = buttonsOf(template.components);
    const position = buttons.findIndex((button) => String(button['type']).toUpperCase() === 'QUICK_REPLY');
    if (position < 0) return undefined;
    const given = objectsOf(objectOf(message.body['template'])['components']).find(
      (component) => Number(component['index']) === position && component['sub_type'] === 'quick_reply',
    );
    const text = textOf(buttons[position]?.['text']) ?? '';
    const payload = textOf(objectsOf(given?.['parameters'])[0]?.['payload']) ?? text;
    return { type: 'button', button: { payload, text } };
  }
  const action = objectOf(objectOf(message.body['interactive'])['action']);
  const reply = objectOf(objectsOf(action['buttons'])[0]?.['reply']);
  if (textOf(reply['id']))
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } };
  const row = objectsOf(objectsOf(action['sections'])[0]?.['rows'])[0];
  return row ? { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } } : undefined;
}
