import { objectOf, textOf, type JsonObject } from '../core/json.ts';
import { errorTitle } from '../whatsapp-cloud/errors.ts';
import type { ChatEntry } from '../whatsapp-cloud/messages/conversations.ts';
import type { Platform } from '../whatsapp-cloud/platform.ts';
import { contentOf, type BubbleContent } from './bubble-content.ts';

interface Chat {
  numberId: string;
  user: string;
  name: string | null;
  at: number;
  preview: string;
  count: number;
  /** Messages that are on the phone and were not looked at. */
  unread: number;
  isWindowOpen: boolean;
}

export interface Bubble extends BubbleContent {
  /** The same for the same bubble, whatever becomes of it. */
  key: string;
  at: number;
  direction: ChatEntry['direction'];
  messageId: string | null;
  state: string | null;
  failure: string | null;
  quote: { isMine: boolean; text: string } | null;
  reactions: { isMine: boolean; emoji: string }[];
  forwarded: 'once' | 'often' | null;
  advert: { headline: string; body: string; address: string } | null;
  isEdited: boolean;
  isDeleted: boolean;
}

const MOST_CHATS = 200;
const MOST_ENTRIES = 400;

/** The phones that got or sent something lately, newest first. */
export function describeChats(platform: Platform): Chat[] {
  const chats = new Map<string, Chat>();
  for (const entry of platform.conversations.entries.newestFirst()) {
    const key = `${entry.numberId}/${entry.user}`;
    const isUnread = entry.index !== null && platform.ledger.get(entry.index)?.state === 'delivered';
    const known = chats.get(key);
    if (known) {
      known.count++;
      if (isUnread) known.unread++;
    } else if (chats.size < MOST_CHATS && entry.direction !== 'note') {
      chats.set(key, {
        numberId: entry.numberId,
        user: entry.user,
        name: platform.people.nameOf(entry.user) ?? null,
        at: entry.at,
        preview: lineOf(contentOf(platform, entry)),
        count: 1,
        unread: isUnread ? 1 : 0,
        isWindowOpen: platform.conversations.isWindowOpen(entry.numberId, entry.user),
      });
    }
  }
  return [...chats.values()];
}

/** How the phone of this chat is set, and who holds it. */
export function describeOwner(platform: Platform, numberId: string, user: string): JsonObject {
  const { people, conversations, statuses } = platform;
  return {
    name: people.nameOf(user) ?? null,
    username: people.usernameOf(user) ?? null,
    userId: people.userIdOf(user),
    hidesNumber: people.hidesNumber(user),
    isOnline: statuses.isOnline(user),
    tellsReading: statuses.tellsReading(user),
    hasStoppedMarketing: conversations.optedOut.has(user),
    hasBlocked: conversations.isBlocked(numberId, user),
    windowEnd: conversations.windowEnd(numberId, user),
    typingUntil: conversations.typingUntil(numberId, user),
  };
}

/**
 * One chat as its phone shows it, oldest first: reactions stand on their message, edits and deletions in its place. What failed or has not
 * arrived is marked, not hidden.
 */
export function describePhone(platform: Platform, numberId: string, user: string): Bubble[] {
  const entries: ChatEntry[] = [];
  for (const entry of platform.conversations.entries.newestFirst()) {
    if (entry.numberId === numberId && entry.user === user) entries.push(entry);
    if (entries.length >= MOST_ENTRIES) break;
  }
  const bubbles = new Map<string, Bubble>();
  const quotes: [Bubble, string][] = [];
  for (const entry of entries.reverse()) {
    const changed = changeTarget(platform, entry, bubbles);
    if (changed) continue;
    const bubble = describeBubble(platform, entry);
    bubbles.set(bubble.messageId ?? bubble.key, bubble);
    const context = objectOf(entry.message['context']);
    const quotedId = textOf(context['id'] ?? context['message_id']);
    if (quotedId !== undefined) quotes.push([bubble, quotedId]);
  }
  // After all changes, so that a quote says what its message says.
  for (const [bubble, quotedId] of quotes) bubble.quote = quoteOf(bubbles.get(quotedId));
  return [...bubbles.values()];
}

/** Applies what speaks of another message; false when it is a message of its own. */
function changeTarget(platform: Platform, entry: ChatEntry, bubbles: Map<string, Bubble>): boolean {
  const { message } = entry;
  const type = textOf(message['type']);
  if (type !== 'reaction' && type !== 'edit' && type !== 'revoke') return false;
  const part = objectOf(message[type]);
  const target = bubbles.get(textOf(part['message_id'] ?? part['original_message_id']) ?? '');
  if (!target) return type === 'reaction';
  if (type === 'reaction') {
    const isMine = entry.direction === 'in';
    const emoji = textOf(part['emoji']) ?? '';
    target.reactions = target.reactions.filter((reaction) => reaction.isMine !== isMine);
    if (emoji !== '') target.reactions.push({ isMine, emoji });
  } else if (type === 'edit') {
    Object.assign(target, contentOf(platform, entry, objectOf(part['message'])), { isEdited: true });
  } else target.isDeleted = true;
  return true;
}

function describeBubble(platform: Platform, entry: ChatEntry): Bubble {
  const sent = entry.index === null ? undefined : platform.ledger.get(entry.index);
  const messageId = sent ? platform.messageIds.idOf(sent.index, sent.recipient) : entry.messageId;
  const context = objectOf(entry.message['context']);
  return {
    ...contentOf(platform, entry),
    key: messageId ?? `${entry.at}-${textOf(entry.message['note']) ?? entry.index ?? ''}`,
    at: entry.at,
    direction: entry.direction,
    messageId,
    state: entry.direction === 'in' ? (entry.state ?? null) : (sent?.state ?? null),
    failure: sent?.state === 'failed' ? `${sent.failCode}: ${errorTitle(sent.failCode)}` : null,
    quote: null,
    reactions: [],
    forwarded: context['frequently_forwarded'] ? 'often' : context['forwarded'] ? 'once' : null,
    advert: advertOf(entry.message['referral']),
    isEdited: false,
    isDeleted: false,
  };
}

/** A message that is too old to be here is quoted without its words. */
function quoteOf(quoted: Bubble | undefined): Bubble['quote'] {
  if (!quoted) return null;
  const text = quoted.isDeleted ? 'Deleted message' : lineOf(quoted);
  return { isMine: quoted.direction === 'in', text };
}

function advertOf(referral: unknown): Bubble['advert'] {
  const { headline, body, source_url: address } = objectOf(referral);
  if (referral === undefined) return null;
  return { headline: textOf(headline) ?? 'Advert', body: textOf(body) ?? '', address: textOf(address) ?? '' };
}

/** One line of a message, for lists and quotes. */
function lineOf(content: BubbleContent): string {
  const kind = content.media?.isVoice ? 'voice message' : (content.media?.type ?? null);
  const text =
    content.body ||
    content.header ||
    content.place?.name ||
    (content.place && 'Location') ||
    content.cards[0]?.name ||
    kind ||
    `(${content.type})`;
  return text.replaceAll('\n', ' ').slice(0, 80);
}
