import type { InboundContent, InboundMedia } from '@app/domain/messaging/inbound-event';
import type { MediaKind } from '@app/domain/messaging/message-content';
import { idOf, isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from '../json-reading.ts';
import { readPhone, readTimestamp } from './webhook-people.ts';

/** What a message says. A type or shape that we do not know becomes `unsupported` with the vendor's word for it. */
export function readContent(message: JsonRecord): InboundContent {
  const type = textOf(message['type']) ?? '';
  const part = message[type];
  const content = isRecord(part) || Array.isArray(part) ? readPart(type, part) : undefined;
  return content ?? { type: 'unsupported', vendorType: textOf(recordOf(part)['type']) ?? type };
}

function readPart(type: string, part: JsonRecord | readonly unknown[]): InboundContent | undefined {
  if (!isRecord(part)) return type === 'contacts' ? readContacts(part as readonly unknown[]) : undefined; // the other half of the union
  switch (type) {
    case 'text': {
      const body = textOf(part['body']);
      return body === null ? undefined : { type: 'text', body };
    }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return readMedia(type, part);
    case 'location':
      return readLocation(part);
    case 'interactive':
      return readInteractive(part);
    case 'button':
      return {
        type: 'button_reply',
        source: 'template',
        payload: textOf(part['payload']) ?? textOf(part['text']) ?? '',
        title: textOf(part['text']) ?? '',
      };
    case 'reaction':
      return withTarget(part['message_id'], (targetMessageId) => ({
        type: 'reaction',
        targetMessageId,
        emoji: textOf(part['emoji']) ?? '',
      }));
    case 'order':
      return readOrder(part);
    case 'edit':
      return withTarget(part['original_message_id'], (targetMessageId) => ({
        type: 'edit',
        targetMessageId,
        content: readEditedContent(recordOf(part['message'])),
      }));
    case 'revoke':
      return withTarget(part['original_message_id'], (targetMessageId) => ({
        type: 'revoke',
        targetMessageId,
      }));
    default:
      return undefined;
  }
}

function withTarget(id: unknown, make: (target: string) => InboundContent): InboundContent | undefined {
  const target = idOf(id);
  return target === null ? undefined : make(target);
}

/** An edit of an edit is no message that the platform makes; without this limit a payload could nest for ever. */
function readEditedContent(message: JsonRecord): InboundContent {
  return message['type'] === 'edit' ? { type: 'unsupported', vendorType: 'edit' } : readContent(message);
}

function readMedia(kind: MediaKind, part: JsonRecord): InboundMedia | undefined {
  const mediaId = textOf(part['id']);
  if (mediaId === null) return undefined;
  return {
    type: 'media',
    kind,
    mediaId,
    mimeType: textOf(part['mime_type'])?.split(';')[0]?.trim() ?? null,
    sha256: textOf(part['sha256']),
    caption: textOf(part['caption']),
    filename: textOf(part['filename']),
    voice: part['voice'] === true,
    animated: part['animated'] === true,
    url: textOf(part['url']),
  };
}

function readLocation(part: JsonRecord): InboundContent | undefined {
  const latitude = numberOf(part['latitude']);
  const longitude = numberOf(part['longitude']);
  if (latitude === null || longitude === null) return undefined;
  return {
    type: 'location',
    latitude,
    longitude,
    name: textOf(part['name']),
    address: textOf(part['address']),
    url: textOf(part['url']),
  };
}

function readContacts(cards: readonly unknown[]): InboundContent {
  return {
    type: 'contacts',
    contacts: cards.filter(isRecord).map((card) => ({
      name: readCardName(recordOf(card['name'])),
      emails: listOf(card['emails']).flatMap((entry) => textOf(recordOf(entry)['email']) ?? []),
      urls: listOf(card['urls']).flatMap((entry) => textOf(recordOf(entry)['url']) ?? []),
      company: joinTexts(recordOf(card['org']), ['company', 'department', 'title']),
      addresses: listOf(card['addresses']).flatMap(
        (entry) => joinTexts(recordOf(entry), ['street', 'zip', 'city', 'state', 'country']) ?? [],
      ),
      birthday: textOf(card['birthday']),
      phones: listOf(card['phones']).flatMap((entry) => {
        const phone = recordOf(entry);
        return readPhone(phone['wa_id']) ?? textOf(phone['phone']) ?? [];
      }),
      origin: textOf(card['origin']),
    })),
  };
}

/** Some address books leave the whole name out and tell its parts. */
function readCardName(name: JsonRecord): string | null {
  return (
    textOf(name['formatted_name']) ??
    joinTexts(name, ['prefix', 'first_name', 'middle_name', 'last_name', 'suffix'], ' ')
  );
}

function joinTexts(record: JsonRecord, fields: readonly string[], by = ', '): string | null {
  const texts = fields.flatMap((field) => textOf(record[field]) ?? []).filter((text) => text.trim() !== '');
  return texts.length > 0 ? texts.join(by) : null;
}

function readInteractive(part: JsonRecord): InboundContent | undefined {
  const kind = textOf(part['type']) ?? '';
  const reply = recordOf(part[kind]);
  switch (kind) {
    case 'button_reply':
      return {
        type: 'button_reply',
        source: 'interactive',
        payload: textOf(reply['id']) ?? '',
        title: textOf(reply['title']) ?? '',
      };
    case 'list_reply':
      return {
        type: 'list_reply',
        id: textOf(reply['id']) ?? '',
        title: textOf(reply['title']) ?? '',
        description: textOf(reply['description']),
      };
    case 'nfm_reply':
      return readFlowReply(reply);
    case 'call_permission_reply': {
      return {
        type: 'call_permission_reply',
        accepted: reply['response'] === 'accept',
        expiresAt: readTimestamp(reply['expiration_timestamp']) || null,
      };
    }
    default:
      return undefined;
  }
}

function readFlowReply(reply: JsonRecord): InboundContent {
  const answersText = textOf(reply['response_json']) ?? '';
  let answers: unknown;
  try {
    answers = JSON.parse(answersText);
  } catch {
    answers = null;
  }
  return {
    type: 'flow_reply',
    name: textOf(reply['name']),
    text: textOf(reply['body']),
    answersText,
    answers: isRecord(answers) ? { ...answers } : null,
  };
}

function readOrder(part: JsonRecord): InboundContent {
  return {
    type: 'order',
    catalogId: textOf(part['catalog_id']),
    text: textOf(part['text']),
    items: listOf(part['product_items'])
      .filter(isRecord)
      .map((item) => ({
        productId: textOf(item['product_retailer_id']) ?? '',
        quantity: numberOf(item['quantity']),
        price: numberOf(item['item_price']),
        currency: textOf(item['currency']),
      })),
  };
}
