import type pg from 'pg';
import { writeArray } from '@app/delivery/sql-array';
import {
  noteMessages,
  type NotedConversation,
  type NotedMessage,
} from '@app/database/conversations/note-messages';
import { storeRatings, type StoredRating } from '@app/database/conversations/store-ratings';
import { insertArrivingMessages } from '@app/database/conversations/store-messages';
import { insertArrivingFiles, type ArrivingFile } from '@app/database/message-files/arriving-files';
import { describeArrivingContacts } from '@app/database/contacts/arriving-contacts';
import { newId } from '@app/database/new-id';
import {
  readConsentKeyword,
  type ConsentKind,
  type ConsentWords,
} from '@app/domain/contacts/opt-out-keywords';
import { freeTextEnd, type ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { ratingEmoji, readRatingButton } from '@app/domain/conversations/teamwork/rating';
import type { MessageReceived } from '@app/domain/messaging/inbound-event';
import type { ConsentWord } from '@app/database/contacts/change-consent';
import { storableText } from '@app/domain/text/storable-text';
import { consentWord, findConsentWords } from './consent-words.ts';
import type { ContactRef } from './find-contacts.ts';
import { findContacts, type Finding } from './find-contacts.ts';
import { findDeleted } from './find-deleted.ts';
import { newestOf, type Said } from './first-words.ts';
import { fileOf } from './file-of-message.ts';
import { describeContent } from './message-line.ts';
import { storableJson, storablePayload } from './storable.ts';

export type OwnedMessage = { event: MessageReceived; workspaceId: string; channelId: string; kind: string };

type Group = {
  messages: readonly OwnedMessage[];
  channelKinds: ChannelKinds;
  finding: Finding;
  /** Contacts that this transaction has locked. */
  locked: ReadonlySet<string>;
  now: number;
};
export type ArrivedMessage = ContactRef & {
  messageId: string;
  /** Of the button or row that was tapped, as whoever sent it chose it; null for any other message. */
  buttonId: string | null;
};
type StoredMessages = {
  arrived: ArrivedMessage[];
  words: ConsentWord[];
  noted: NotedConversation[];
  /** What is to be fetched of them. */
  files: ArrivingFile[];
};
type Stored = OwnedMessage & { id: string; contactId: string | null; says: Said };

/**
 * Adds messages to their contacts' conversations and makes contacts of people who write for the first time.
 * An inbound message opens the window of its kind of channel, from the platform's own time stamp. Answers with the new messages and their
 * contacts, and with what was said about consent.
 */
export async function storeMessages(
  client: pg.PoolClient,
  { messages: named, channelKinds, finding, locked, now }: Group,
): Promise<StoredMessages> {
  if (named.length === 0) return { arrived: [], words: [], noted: [], files: [] };
  const rated = named.flatMap(readRating);
  const messages = named.map(asReaction);
  const says = messages.map((message) => readSaid(message, channelKinds, now));
  const people = messages.map(({ event, workspaceId }, index) => ({
    ...{ workspaceId, person: event.person, at: event.occurredAt, mayAdd: true },
    says: targetOf(event) === null ? says[index]! : null, // one for each message
  }));
  const wordsOf = await findConsentWords(client, messages);
  const rulesOf = (kind: string) => channelKinds.of({ kind }).capabilities;
  const speaking = messages.flatMap(({ event, workspaceId, kind }) =>
    readConsent(event, wordsOf(workspaceId), rulesOf(kind)) === null
      ? []
      : [{ workspaceId, person: event.person, at: event.occurredAt }],
  );
  const deletedOf = await findDeleted(client, speaking);
  const contactIds = await findContacts(client, people, finding);
  // In the order in which they stand, so that lists keep it where two have one time.
  const ids = messages.map(() => newId()).toSorted();
  const owned = messages.map((message, index) => ({
    ...message,
    id: ids[index]!,
    contactId: contactIds.get(people[index]!) ?? null, // one person per message
    says: says[index]!,
  }));
  const inserted = await insertMessages(client, owned);
  const fresh = owned.filter(({ id }) => inserted.has(id));
  await storeRatings(client, rated);
  const ofContacts = fresh.flatMap((message) =>
    message.contactId === null ? [] : [{ ...message, contactId: message.contactId }],
  );
  const files = fresh.flatMap((message) => fileOf(message, channelKinds, now));
  await insertArrivingFiles(client, files);
  await describeContacts(client, ofContacts, locked);
  await settleChanges(client, fresh);
  const noted = await noteMessages(
    client,
    ofContacts.flatMap((message) => toNoted(message, inserted.get(message.id) === true)),
    { newId, now: new Date(now) },
  );
  return {
    ...{ noted, files },
    arrived: ofContacts.map(({ workspaceId, contactId, id, event }) => ({
      ...{ workspaceId, contactId, messageId: id },
      buttonId: tappedId(event),
    })),
    words: ofContacts.flatMap((message) => {
      const kind = readConsent(message.event, wordsOf(message.workspaceId), rulesOf(message.kind));
      if (kind === null) return [];
      const { person, occurredAt } = message.event;
      const deletedIds = deletedOf({ ...message, person, at: occurredAt });
      return [message.contactId, ...deletedIds].map((contactId) =>
        consentWord({ ...message, contactId }, kind, message.says.text, now),
      );
    }),
  };
}

function ratingOf({ direction, groupId, content }: MessageReceived) {
  if (direction !== 'in' || groupId !== null || content.type !== 'button_reply') return null;
  return readRatingButton(content.payload);
}

function readRating({ event, workspaceId }: OwnedMessage): StoredRating[] {
  const said = ratingOf(event);
  return said === null ? [] : [{ ...said, workspaceId, at: new Date(event.occurredAt || 0) }];
}

/** A rating is a reaction to the question: it opens no conversation, and nobody has to read or answer it. */
function asReaction(message: OwnedMessage): OwnedMessage {
  const { event } = message;
  const said = ratingOf(event);
  if (said === null) return message;
  const targetMessageId = event.context?.quotedMessageId ?? event.messageId;
  const content = { type: 'reaction', emoji: ratingEmoji[said.rating], targetMessageId } as const;
  return { ...message, event: { ...event, content } };
}

/** Answers with those that were not there yet, and whether somebody has to read them: nobody has to read who is blocked. */
async function insertMessages(
  client: pg.PoolClient,
  owned: readonly Stored[],
): Promise<Map<string, boolean>> {
  const column = (pick: (message: Stored) => string | boolean | null): string => writeArray(owned.map(pick));
  return insertArrivingMessages(client, [
    column(({ id }) => id),
    column(({ workspaceId }) => workspaceId),
    column(({ channelId }) => channelId),
    column(({ contactId }) => contactId),
    column(({ event }) => event.direction),
    column(({ says }) => says.messageId),
    column(({ event }) => event.content.type),
    column(({ says }) => says.text),
    column(({ event }) => storablePayload(event)),
    column(({ says }) => says.at.toISOString()),
    column(({ event }) => targetOf(event)),
    column(({ event }) => (event.content.type === 'text' ? null : storableJson(event.content))),
    column(({ event }) => quotedBy(event)),
    column(({ event }) => (event.groupId === null ? null : storableText(event.groupId))),
    column(({ event }) => isNews(event)),
    column(({ event, says }) =>
      targetOf(event) === null ? (says.windowExpiresAt?.toISOString() ?? null) : null,
    ),
    column(({ event }) => aboutOf(event)),
  ]);
}

/** What it means for its conversation; what changes another message, or was said in a group, means nothing for it. */
function toNoted(
  { event, says, ...message }: Stored & { contactId: string },
  isUnread: boolean,
): NotedMessage[] {
  if (targetOf(event) !== null || event.groupId !== null) return [];
  return [
    {
      ...{ workspaceId: message.workspaceId, contactId: message.contactId, channelId: message.channelId },
      ...{ messageId: message.id, type: event.content.type, direction: event.direction, at: says.at },
      ...{ isSaid: event.content.type !== 'reaction', isUnread, opens: isUnread },
      isAnswer: event.direction === 'out' && !isMissedCall(event),
      ...{ isHistory: event.origin === 'history', windowEndsAt: says.windowExpiresAt },
    },
  ];
}

/**
 * The last message and the window, where they are others now: each writing of a contact goes through all of its indexes. What was not
 * locked yet is locked in the order in which everybody locks contacts.
 */
async function describeContacts(
  client: pg.PoolClient,
  fresh: readonly (Stored & { contactId: string })[],
  locked: ReadonlySet<string>,
): Promise<void> {
  const saidOf = new Map<string, Said[]>();
  for (const { event, contactId, says } of fresh)
    if (targetOf(event) === null) saidOf.set(contactId, [...(saidOf.get(contactId) ?? []), says]);
  if (saidOf.size === 0) return;
  const open = [...saidOf.keys()].filter((id) => !locked.has(id));
  if (open.length > 0)
    await client.query('SELECT FROM contacts WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [
      writeArray(open),
    ]);
  const last = [...saidOf].flatMap(([contactId, said]) => {
    const newest = newestOf(said);
    return newest ? [{ ...newest, contactId }] : [];
  });
  await describeArrivingContacts(client, writeArray(last.map(({ contactId }) => contactId)), [
    writeArray(last.map(({ text }) => text)),
    writeArray(last.map(({ at }) => at.toISOString())),
    writeArray(last.map(({ windowExpiresAt }) => windowExpiresAt?.toISOString() ?? null)),
  ]);
}

/** A change may come before its message, so that each of the two looks for the other. */
async function settleChanges(client: pg.PoolClient, fresh: readonly Stored[]): Promise<void> {
  if (fresh.length === 0) return;
  await client.query({
    name: 'webhooks_settle_changes',
    text: 'SELECT settle_message_changes($1::uuid[], $2::text[])',
    values: [
      writeArray(fresh.map(({ workspaceId }) => workspaceId)),
      writeArray(fresh.map(({ event, says }) => targetOf(event) ?? says.messageId)),
    ],
  });
}

function readSaid({ event, kind }: OwnedMessage, channelKinds: ChannelKinds, now: number): Said {
  const end = opensWindow(event)
    ? freeTextEnd(channelKinds.of({ kind }).capabilities, event.occurredAt)
    : null;
  return {
    messageId: storableText(event.messageId),
    text: describeContent(event.content),
    at: new Date(event.occurredAt || now),
    windowExpiresAt: end === null ? null : new Date(end),
  };
}

function tappedId({ content, groupId }: MessageReceived): string | null {
  if (groupId !== null) return null;
  if (content.type === 'button_reply') return storableText(content.payload);
  return content.type === 'list_reply' ? storableText(content.id) : null;
}

/** The message that this one edits or takes back. */
function targetOf({ content }: MessageReceived): string | null {
  return content.type === 'edit' || content.type === 'revoke' ? storableText(content.targetMessageId) : null;
}

/** The message that this one answers or reacts to. */
function quotedBy({ content, context }: MessageReceived): string | null {
  const quoted = content.type === 'reaction' ? content.targetMessageId : context?.quotedMessageId;
  return quoted ? storableText(quoted) : null;
}

/** What led to it; null where nothing did. */
function aboutOf({ context, referral }: MessageReceived): string | null {
  const isForwarded = context?.forwarded === true || context?.frequentlyForwarded === true;
  const product = context?.referredProduct?.productId ?? null;
  const ad = referral && { headline: referral.headline, body: referral.body, url: referral.sourceUrl };
  return isForwarded || product !== null || ad !== null ? storableJson({ isForwarded, product, ad }) : null;
}

/** Whether somebody has to read it: what people write now, and not only react with. */
function isNews(event: MessageReceived): boolean {
  const { direction, origin, groupId, content } = event;
  return (
    direction === 'in' &&
    origin === 'live' &&
    groupId === null &&
    targetOf(event) === null &&
    content.type !== 'reaction' &&
    (content.type !== 'call' || isMissedCall(event))
  );
}

function isMissedCall({ content }: MessageReceived): boolean {
  return content.type === 'call' && content.outcome === 'missed';
}

function opensWindow(event: MessageReceived): boolean {
  return event.direction === 'in' && event.groupId === null && event.occurredAt > 0;
}

/** What a message says about consent. A word of renewal counts only where the kind of channel lets it. */
function readConsent(
  event: MessageReceived,
  words: ConsentWords | null,
  { wordsRenewConsent }: Pick<ChannelCapabilities, 'wordsRenewConsent'>,
): ConsentKind | null {
  const said = readWord(event, words);
  return said === 'start' && !wordsRenewConsent ? null : said;
}

function readWord(event: MessageReceived, words: ConsentWords | null): ConsentKind | null {
  if (event.direction !== 'in' || event.origin === 'history') return null;
  if (event.content.type === 'text') return readConsentKeyword(event.content.body, words);
  if (event.content.type !== 'button_reply') return null;
  // What a button says may be in any language; what stands behind it was written by whoever made the template.
  const { title, payload } = event.content;
  return readConsentKeyword(title, words) ?? readConsentKeyword(payload, words);
}
