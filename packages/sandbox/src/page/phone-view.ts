import { objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import type { ChatEntry } from '../whatsapp-cloud/messages/conversations.ts';
import { errorTitle } from '../whatsapp-cloud/errors.ts';
import { isMediaType } from '../whatsapp-cloud/media-content.ts';
import type { Platform } from '../whatsapp-cloud/platform.ts';
import { buttonsOf, fillText, findComponent } from '../whatsapp-cloud/templates/template-variables.ts';

interface Chat {
  numberId: string;
  user: string;
  name: string | null;
  at: number;
  preview: string;
  count: number;
  isWindowOpen: boolean;
}

export interface BubbleButton {
  text: string;
  /** What the phone sends back; null: it opens a page or a call, of which the business hears nothing. */
  answer: JsonObject | null;
  detail: string | null;
}

export interface Bubble {
  at: number;
  direction: ChatEntry['direction'];
  messageId: string | null;
  state: string | null;
  failure: string | null;
  header: string | null;
  media: { type: string; address: string | null; label: string } | null;
  body: string;
  footer: string | null;
  buttons: BubbleButton[];
}

/** The phones that got or sent something lately, newest first. */
export function describeChats(platform: Platform): Chat[] {
  const chats = new Map<string, Chat>();
  for (const entry of platform.conversations.entries.newestFirst()) {
    const key = `${entry.numberId}/${entry.user}`;
    const known = chats.get(key);
    if (known) known.count++;
    else if (chats.size < 200 && entry.direction !== 'note') {
      const bubble = describeBubble(platform, entry);
      chats.set(key, {
        numberId: entry.numberId,
        user: entry.user,
        name: platform.conversations.names.get(entry.user) ?? null,
        at: entry.at,
        preview: (bubble.body || bubble.header || bubble.media?.label || '').slice(0, 80),
        count: 1,
        isWindowOpen: platform.conversations.isWindowOpen(entry.numberId, entry.user),
      });
    }
  }
  return [...chats.values()];
}

/** One chat as its phone shows it, oldest first. A message that failed or has not arrived is marked, not hidden. */
export function describePhone(platform: Platform, numberId: string, user: string): Bubble[] {
  const bubbles: Bubble[] = [];
  for (const entry of platform.conversations.entries.newestFirst()) {
    if (entry.numberId === numberId && entry.user === user) bubbles.push(describeBubble(platform, entry));
    if (bubbles.length >= 100) break;
  }
  return bubbles.reverse();
}

function describeBubble(platform: Platform, entry: ChatEntry): Bubble {
  const ledgerEntry = entry.index === null ? undefined : platform.ledger.get(entry.index);
  const messageId =
    entry.index === null ? entry.messageId : platform.messageIds.idOf(entry.index, entry.user);
  const isFailed = ledgerEntry?.state === 'failed';
  return {
    at: entry.at,
    direction: entry.direction,
    messageId,
    state: ledgerEntry?.state ?? null,
    failure: isFailed ? `${ledgerEntry.failCode}: ${errorTitle(ledgerEntry.failCode)}` : null,
    header: null,
    media: null,
    footer: null,
    buttons: [],
    ...contentOf(platform, entry),
  };
}

type Content = Pick<Bubble, 'body'> & Partial<Pick<Bubble, 'header' | 'media' | 'footer' | 'buttons'>>;

function contentOf(platform: Platform, entry: ChatEntry): Content {
  const { message } = entry;
  if (entry.direction === 'note') return { body: textOf(message['note']) ?? '' };
  const type = textOf(message['type']) ?? 'text';
  const content = objectOf(message[type]);
  if (type === 'text') return { body: textOf(content['body']) ?? '' };
  if (type === 'template') return templateContent(platform, entry, content);
  if (type === 'interactive') return interactiveContent(platform, content);
  if (isMediaType(type))
    return { body: textOf(content['caption']) ?? '', media: mediaOf(platform, type, content) };
  if (type === 'location') {
    const place = [content['name'], content['address']].filter(Boolean).join(', ');
    return {
      body: `📍 ${place || 'Location'} (${String(content['latitude'])}, ${String(content['longitude'])})`,
    };
  }
  if (type === 'reaction') return { body: textOf(content['emoji']) || '(reaction removed)' };
  if (type === 'button') return { body: textOf(content['text']) ?? '' };
  if (type === 'contacts') {
    const names = objectsOf(message['contacts']).map((contact) =>
      textOf(objectOf(contact['name'])['formatted_name']),
    );
    return { body: `👤 ${names.join(', ')}` };
  }
  return { body: `(${type})` };
}

function mediaOf(platform: Platform, type: string, content: JsonObject): Bubble['media'] {
  const id = textOf(content['id']);
  const isHere = id !== undefined && platform.store.media.has(id);
  const label = textOf(content['filename']) ?? textOf(content['link']) ?? type;
  return { type, address: isHere ? `/_sandbox/whatsapp/media/${id}` : null, label };
}

function templateContent(platform: Platform, entry: ChatEntry, content: JsonObject): Content {
  const components = entry.template?.components ?? [];
  const given = objectsOf(content['components']);
  const parametersOf = (type: string) =>
    objectsOf(given.find((component) => textOf(component['type'])?.toLowerCase() === type)?.['parameters']);
  const header = findComponent(components, 'HEADER');
  const headerType = textOf(parametersOf('header')[0]?.['type']) ?? '';
  const isCode = entry.template?.category === 'AUTHENTICATION';
  const text = isCode
    ? '*{{1}}* is your verification code.'
    : (textOf(findComponent(components, 'BODY')?.['text']) ?? '');
  return {
    header:
      header?.['format'] === 'TEXT' ? fillText(textOf(header['text']) ?? '', parametersOf('header')) : null,
    media: isMediaType(headerType)
      ? mediaOf(platform, headerType, objectOf(parametersOf('header')[0]?.[headerType]))
      : null,
    body: fillText(text, parametersOf('body')),
    footer: textOf(findComponent(components, 'FOOTER')?.['text']) ?? null,
    buttons: buttonsOf(components).map((button, index) => {
      const own = given.find(
        (component) => component['type'] === 'button' && Number(component['index']) === index,
      );
      return templateButton(button, objectsOf(own?.['parameters'])[0] ?? {});
    }),
  };
}

function templateButton(button: JsonObject, parameter: JsonObject): BubbleButton {
  const type = textOf(button['type']);
  const text =
    textOf(button['text']) ?? (type === 'COPY_CODE' || type === 'OTP' ? 'Copy code' : (type ?? ''));
  if (type !== 'QUICK_REPLY') {
    const address = textOf(button['url']) ?? textOf(button['phone_number']) ?? null;
    return { text, answer: null, detail: address === null ? null : fillText(address, [parameter]) };
  }
  return {
    text,
    answer: { type: 'button', button: { payload: textOf(parameter['payload']) ?? text, text } },
    detail: null,
  };
}

function interactiveContent(platform: Platform, content: JsonObject): Content {
  const type = textOf(content['type']);
  const reply = objectOf(content[type ?? '']);
  if (type === 'button_reply' || type === 'list_reply') return { body: textOf(reply['title']) ?? '' };
  if (type === 'nfm_reply') return { body: `Form: ${textOf(reply['response_json']) ?? ''}` };
  const header = objectOf(content['header']);
  const headerType = textOf(header['type']) ?? '';
  return {
    header: headerType === 'text' ? (textOf(header['text']) ?? null) : null,
    media: isMediaType(headerType) ? mediaOf(platform, headerType, objectOf(header[headerType])) : null,
    body: textOf(objectOf(content['body'])['text']) ?? '',
    footer: textOf(objectOf(content['footer'])['text']) ?? null,
    buttons: interactiveButtons(objectOf(content['action'])),
  };
}

function interactiveButtons(action: JsonObject): BubbleButton[] {
  const replies = objectsOf(action['buttons']).map((button) => objectOf(button['reply']));
  const rows = objectsOf(action['sections']).flatMap((section) => objectsOf(section['rows']));
  const parameters = objectOf(action['parameters']);
  const label = textOf(parameters['display_text']) ?? textOf(parameters['flow_cta']);
  return [
    ...replies.map((reply) => ({
      text: textOf(reply['title']) ?? '',
      answer: { type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } },
      detail: null,
    })),
    ...rows.map((row) => ({
      text: textOf(row['title']) ?? '',
      answer: { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } },
      detail: textOf(row['description']) ?? null,
    })),
    ...(label === undefined
      ? []
      : [{ text: label, answer: null, detail: textOf(parameters['url']) ?? null }]),
  ];
}
