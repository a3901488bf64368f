import { isObject, listOf, objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import { GraphError } from './errors.ts';

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

const mediaTypes = new Set(['image', 'video', 'audio', 'document', 'sticker']);

export function isMediaType(type: string): boolean {
  return mediaTypes.has(type);
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
  const content = body[type];
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
  if (userId !== undefined && /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(userId)) {
    return { input: userId, isUserId: true };
  }
  throw new GraphError(100, { message: '(#100) The parameter to is required.' });
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
  image: (media) => checkMedia('image', media, true),
  video: (media) => checkMedia('video', media, true),
  document: (media) => checkMedia('document', media, true),
  audio: (media) => checkMedia('audio', media, false),
  sticker: (media) => checkMedia('sticker', media, false),
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

function checkMedia(type: string, media: JsonObject, mayHaveCaption: boolean): void {
  const id = textOf(media['id']);
  const link = textOf(media['link']);
  if (!id && !link) missing(`${type}.id or ${type}.link`);
  if (id && link) invalid(`${type} has both id and link`);
  if (link && !/^https?:\/\//i.test(link)) invalid(`${type}.link must be an http address`);
  const caption = textOf(media['caption']);
  if (caption !== undefined && !mayHaveCaption)
    throw new GraphError(100, { details: `${type} takes no caption` });
  if ((caption?.length ?? 0) > 1024) invalid(`${type}.caption is longer than 1024 characters`);
}

function checkInteractive(interactive: JsonObject): void {
  const type = textOf(interactive['type']);
  const check = type === undefined ? undefined : interactiveChecks[type];
  if (type === undefined || !check)
    invalid(`interactive.type ${JSON.stringify(interactive['type'])} is not known`);
  if (type !== 'product') {
    const limit = type === 'list' ? 4096 : 1024;
    need(objectOf(interactive['body'])['text'], 'interactive.body.text', limit);
  }
  if (interactive['footer'] !== undefined)
    need(objectOf(interactive['footer'])['text'], 'interactive.footer.text', 60);
  const header = interactive['header'];
  if (header !== undefined) checkInteractiveHeader(objectOf(header), type);
  if (!isObject(interactive['action'])) missing('interactive.action');
  check(interactive['action'], interactive);
}

function checkInteractiveHeader(header: JsonObject, type: string): void {
  const kind = textOf(header['type']);
  if (kind === 'text') return need(header['text'], 'interactive.header.text', 60);
  if (type === 'list' || type === 'product_list') invalid(`the header of a ${type} must be text`);
  if (kind !== 'image' && kind !== 'video' && kind !== 'document')
    invalid('interactive.header.type is not known');
  checkMedia(kind, objectOf(header[kind]), false);
}

const interactiveChecks: Record<string, (action: JsonObject, interactive: JsonObject) => void> = {
  button: (action) => {
    const buttons = objectsOf(action['buttons']);
    if (buttons.length < 1 || buttons.length > 3)
      invalid('interactive.action.buttons must hold 1 to 3 buttons');
    const replies = buttons.map((button) => objectOf(button['reply']));
    for (const reply of replies) {
      need(reply['title'], 'button title', 20);
      need(reply['id'], 'button id', 256);
      if (textOf(reply['id']) !== textOf(reply['id'])?.trim()) invalid('button id has spaces at its edge');
    }
    distinct(
      replies.map((reply) => textOf(reply['title'])),
      'button title',
    );
    distinct(
      replies.map((reply) => textOf(reply['id'])),
      'button id',
    );
  },
  list: (action) => {
    need(action['button'], 'list button', 20);
    const sections = objectsOf(action['sections']);
    if (sections.length < 1 || sections.length > 10) invalid('a list has 1 to 10 sections');
    for (const section of sections) {
      if (sections.length > 1 || section['title'] !== undefined) need(section['title'], 'section title', 24);
    }
    const rows = sections.flatMap((section) => objectsOf(section['rows']));
    if (rows.length < 1 || rows.length > 10) invalid('a list has 1 to 10 rows in total');
    for (const row of rows) {
      need(row['id'], 'row id', 200);
      need(row['title'], 'row title', 24);
      if ((textOf(row['description'])?.length ?? 0) > 72)
        invalid('row description is longer than 72 characters');
    }
    distinct(
      rows.map((row) => textOf(row['id'])),
      'row id',
    );
  },
  cta_url: (action) => {
    const parameters = objectOf(action['parameters']);
    need(parameters['display_text'], 'display_text', 20);
    if (!/^https?:\/\//.test(textOf(parameters['url']) ?? '')) invalid('url must be an http address');
  },
  flow: (action) => {
    const parameters = objectOf(action['parameters']);
    if (!parameters['flow_id'] === !parameters['flow_name']) invalid('give flow_id or flow_name');
    need(parameters['flow_cta'], 'flow_cta', 30);
  },
  product: (action) => {
    need(action['catalog_id'], 'catalog_id', 512);
    need(action['product_retailer_id'], 'product_retailer_id', 512);
  },
  product_list: (action, interactive) => {
    if (!isObject(interactive['header'])) missing('interactive.header');
    const sections = objectsOf(action['sections']);
    if (sections.length < 1 || sections.length > 10) invalid('a product list has 1 to 10 sections');
    const products = sections.flatMap((section) => listOf(section['product_items']));
    if (products.length < 1 || products.length > 30) invalid('a product list has 1 to 30 products');
  },
  catalog_message: () => {},
  location_request_message: () => {},
  voice_call: (action) => {
    const ttl = Number(objectOf(action['parameters'])['ttl_minutes'] ?? 10_080);
    if (!(ttl >= 1 && ttl <= 43_200)) invalid('ttl_minutes must lie between 1 and 43200');
  },
  carousel: (action) => {
    const cards = objectsOf(action['cards']);
    if (cards.length < 2 || cards.length > 10) invalid('a carousel has 2 to 10 cards');
    for (const card of cards) {
      if ((textOf(objectOf(card['body'])['text'])?.length ?? 0) > 160)
        invalid('card body is longer than 160 characters');
    }
  },
  // Two names are in use for this type; both are taken.
  contact_request: () => {},
  request_contact_info: () => {},
};

function need(value: unknown, name: string, limit: number): void {
  const text = textOf(value);
  if (text === undefined || text === '') missing(name);
  if (text.length > limit) invalid(`${name} is longer than ${limit} characters`);
}

function distinct(values: (string | undefined)[], name: string): void {
  if (new Set(values).size !== values.length) invalid(`every ${name} must be different`);
}

function missing(name: string): never {
  throw new GraphError(131008, { details: `Required parameter ${name} is missing` });
}

function invalid(details: string): never {
  throw new GraphError(131009, { details });
}
