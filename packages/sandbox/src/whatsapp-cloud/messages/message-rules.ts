import { isObject, objectOf, objectsOf, parseJson, textOf, type JsonObject } from '../../core/json.ts';
import { invalid, missing } from './content-checks.ts';
import { GraphError } from '../errors.ts';
import { checkInteractive } from './interactive-rules.ts';
import { checkMediaContent } from '../media-content.ts';

export interface OutgoingMessage {
  type: string;
  /** Digits of `to`, or a business-scoped user id. */
  recipient: string;
  /** As the caller wrote it; the answer repeats it. */
  input: string;
  isUserId: boolean;
  tag: string;
  body: JsonObject;
}

/** Checks the envelope and the content of a send; throws the error that the platform answers at once. */
export function readMessage(body: unknown): OutgoingMessage {
  if (!isObject(body)) throw new GraphError(100, { message: '(#100) The request body is not a JSON object' });
  if (body['messaging_product'] !== 'whatsapp') {
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' });
  }
  const { input, isUserId } = readRecipient(body);
  const type = body['type'] === undefined ? 'text' : textOf(body['type']);
  const check = type === undefined ? undefined : contentChecks[type];
  if (type === undefined || !check) {
    throw new GraphError(131051, {
      details: `Message type ${JSON.stringify(body['type'])} is not supported`,
    });
  }
  const content = readContent(body, type);
  if (type === 'contacts' ? !Array.isArray(content) : !isObject(content)) missing(type);
  check(objectOf(content), body);
  return {
    type,
    recipient: isUserId ? input : input.replace(/\D/g, ''),
    input,
    isUserId,
    tag: readTag(body['biz_opaque_callback_data']),
    body,
  };
}

/** The content may be JSON text inside of JSON. */
function readContent(body: JsonObject, type: string): unknown {
  const content = body[type];
  if (typeof content !== 'string') return content;
  body[type] = parseJson(content);
  return body[type];
}

function readRecipient(body: JsonObject): { input: string; isUserId: boolean } {
  const kind = body['recipient_type'];
  if (kind !== undefined && kind !== 'individual') {
    throw new GraphError(100, {
      details: 'recipient_type must be individual; groups are not available here',
    });
  }
  const to = textOf(body['to']);
  if (to !== undefined && to !== '') {
    if (
      !/^\+?[\d\s\-().]{3,24}$/.test(to) ||
      to.replace(/\D/g, '').length > 15 ||
      !/\d{5}/.test(to.replace(/\D/g, ''))
    ) {
      throw new GraphError(131009, { details: 'to is not a phone number' });
    }
    return { input: to, isUserId: false };
  }
  const userId = textOf(body['recipient']);
  if (userId !== undefined && isUserId(userId)) {
    return { input: userId, isUserId: true };
  }
  throw new GraphError(100, { message: '(#100) The parameter to is required.' });
}

/** A business-scoped user id: country code, dot, letters and digits. */
export function isUserId(text: string): boolean {
  return /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(text);
}

function readTag(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || value.length > 512) {
    throw new GraphError(100, {
      details: 'biz_opaque_callback_data must be a string of at most 512 characters',
    });
  }
  return value;
}

type ContentCheck = (content: JsonObject, body: JsonObject) => void;

const contentChecks: Record<string, ContentCheck> = {
  text: (text) => {
    const body = textOf(text['body']);
    if (body === undefined || body === '') missing('text.body');
    if (body.length > 4096)
      throw new GraphError(100, { details: 'text.body is longer than 4096 characters' });
  },
  image: (media) => checkMediaContent('image', media, true),
  video: (media) => checkMediaContent('video', media, true),
  document: (media) => checkMediaContent('document', media, true),
  audio: (media) => checkMediaContent('audio', media, false),
  sticker: (media) => checkMediaContent('sticker', media, false),
  location: (location) => {
    for (const [name, limit] of [
      ['latitude', 90],
      ['longitude', 180],
    ] as const) {
      const value = Number(location[name] ?? Number.NaN);
      if (location[name] === undefined) missing(`location.${name}`);
      if (!(Math.abs(value) <= limit)) invalid(`location.${name} is out of range`);
    }
  },
  contacts: (_content, body) => {
    const contacts = objectsOf(body['contacts']);
    if (contacts.length === 0) missing('contacts');
    if (contacts.length > 257) invalid('contacts holds more than 257 entries');
    for (const contact of contacts) {
      const name = objectOf(contact['name']);
      if (!textOf(name['formatted_name'])) missing('contacts.name.formatted_name');
      const others = ['first_name', 'last_name', 'middle_name', 'suffix', 'prefix'];
      if (!others.some((part) => textOf(name[part]))) invalid('contacts.name needs one more name part');
    }
  },
  reaction: (reaction) => {
    if (!textOf(reaction['message_id'])) missing('reaction.message_id');
    if (typeof reaction['emoji'] !== 'string') missing('reaction.emoji');
  },
  interactive: checkInteractive,
  template: (template) => {
    if (!textOf(template['name'])) missing('template.name');
    if (!textOf(objectOf(template['language'])['code'])) missing('template.language.code');
    if (template['components'] !== undefined && !Array.isArray(template['components'])) {
      throw new GraphError(100, { details: 'template.components must be an array' });
    }
  },
};
