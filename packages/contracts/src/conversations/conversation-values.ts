import { botStatuses } from '@app/domain/chatbot/bot-state';
import { consentSources } from '@app/domain/contacts/opt-out/consent-source';
import { dueKinds } from '@app/domain/conversations/teamwork/conversation-sla';
import { conversationPriorities, conversationStatuses } from '@app/domain/conversations/conversation-status';
import { lineKinds } from '@app/domain/conversations/shown-message';
import { messageAuthors, shownStates } from '@app/domain/conversations/message-state';
import { z } from 'zod';
import { id } from '../endpoint.ts';
import { messageFile } from '../message-files/message-files-contract.ts';
import { note } from './conversation-notes-contract.ts';

const time = z.string().nullable();

/** Who wrote a message: the contact, somebody in an app of the platform, or whoever sent it from here. */
const author = z.object({
  kind: z.enum(messageAuthors),
  id: z.string().nullable(),
  name: z.string().nullable(),
});

/** What one line shows: its words, and the kind where it has none. */
const line = z.object({ kind: z.enum(lineKinds), text: z.string() });

export const conversation = z.object({
  id,
  contact: z.object({
    id,
    name: z.string(),
    phone: z.string().nullable(),
    /** The platform has an id for them, to which they are written when they hide their number. */
    hasUserId: z.boolean(),
    isBlocked: z.boolean(),
    tags: z.array(z.string()),
  }),
  channelId: id,
  status: z.enum(conversationStatuses),
  priority: z.enum(conversationPriorities),
  snoozedUntil: time,
  isArchived: z.boolean(),
  assignee: z.object({ id, name: z.string(), avatar: z.string().nullable() }).nullable(),
  team: z.object({ id, name: z.string() }).nullable(),
  labels: z.array(z.string()),
  unread: z.number(),
  /** Of the person who asks. */
  isPinned: z.boolean(),
  isMuted: z.boolean(),
  /** How the answer or note begins that the person who asks has not sent yet; of files alone, what the first of them is. */
  draft: line.nullable(),
  lastMessage: z
    .object({
      id,
      type: z.string(),
      direction: z.enum(['in', 'out']),
      line,
      at: z.string(),
      /** Of a message that went out. */
      state: z.enum(shownStates).nullable(),
    })
    .nullable(),
  lastActivityAt: z.string(),
  /** The first message of the contact that nobody answered. */
  waitingSince: time,
  lastInboundAt: time,
  /** Until when free text may be sent; null where nobody wrote or the window does not end. */
  windowEndsAt: time,
  /** Where it stands with the bot: it answers, a person has to, or it is over; null where the bot has no part in it. */
  bot: z.enum(botStatuses).nullable(),
  /** Messages before that moment are kept no more; null where none has gone. */
  keptSince: time,
  /** What is to be done next by a time that the workspace has set itself; from `soonAt` on it is about to be missed. */
  due: z.object({ kind: z.enum(dueKinds), at: z.string(), soonAt: z.string() }).nullable(),
  version: z.number(),
});

const content = z.record(z.string(), z.unknown()).nullable();

export const message = z.object({
  kind: z.literal('message'),
  /** Of a campaign's message it names the place in its run. */
  id: z.string(),
  direction: z.enum(['in', 'out']),
  type: z.string(),
  /** One line; null of a message that was taken back. */
  text: z.string().nullable(),
  /** In the product's own terms; null where type and text say all. */
  content,
  /** Of a message that was made of a template: what the template holds, while it is kept here. */
  components: z.array(z.looseObject({ type: z.string() })).nullable(),
  files: z.array(messageFile),
  author,
  at: z.string(),
  /** Of a message that went out. */
  state: z.enum(shownStates).nullable(),
  sentAt: time,
  deliveredAt: time,
  readAt: time,
  failedAt: time,
  error: z.object({ code: z.string(), detail: z.string().nullable() }).nullable(),
  isUnread: z.boolean(),
  isEdited: z.boolean(),
  isRevoked: z.boolean(),
  /** When it was edited or taken back last. */
  changedAt: time,
  /** What it said before it was edited or taken back. */
  original: z.object({ text: z.string().nullable(), content }).nullable(),
  /** What led to it. */
  about: z
    .object({
      isForwarded: z.boolean(),
      product: z.string().nullable(),
      ad: z
        .object({ headline: z.string().nullable(), body: z.string().nullable(), url: z.string().nullable() })
        .nullable(),
    })
    .nullable(),
  /** The message that it answers; `id` is null when it is not kept here. */
  quoted: z
    .object({
      id: z.string().nullable(),
      text: z.string().nullable(),
      type: z.string().nullable(),
      content,
      direction: z.enum(['in', 'out']).nullable(),
    })
    .nullable(),
  reactions: z.array(
    z.object({
      emoji: z.string(),
      direction: z.enum(['in', 'out']),
      /** Who of staff; the contact has none. */
      name: z.string().nullable(),
      at: z.string(),
    }),
  ),
  campaign: z.object({ id, name: z.string() }).nullable(),
  /** The time that it waits, or waited, for. */
  sendAt: time,
  /** Somebody tried again: another message has taken its place. */
  isTriedAgain: z.boolean(),
  /** Of what a person sent: the `clientId` of the request, by which a client knows its own message again. */
  clientId: z.string().nullable(),
});

/** A message that waits for its time. */
export const scheduledMessage = z.object({
  id,
  conversationId: id,
  contact: z.object({ id, name: z.string() }),
  type: z.string(),
  text: z.string(),
  content: z.record(z.string(), z.unknown()),
  author,
  sendAt: z.string(),
});

/** What staff, or the product, did with the conversation. */
const act = z.discriminatedUnion('act', [
  z.object({
    act: z.literal('assigned'),
    /** Null: it was given to nobody. The name of somebody who is gone is null. */
    to: z.object({ id, name: z.string().nullable() }).nullable(),
    team: z.object({ id, name: z.string().nullable() }).nullable(),
  }),
  z.object({ act: z.literal('status'), status: z.enum(conversationStatuses), snoozedUntil: time }),
  z.object({ act: z.literal('priority'), priority: z.enum(conversationPriorities) }),
  z.object({ act: z.literal('labelled'), added: z.array(z.string()), removed: z.array(z.string()) }),
  /** Of the contact with others, or apart from them again. */
  z.object({ act: z.enum(['merged', 'unmerged']), names: z.array(z.string()) }),
]);

/** What stands between messages, by its time: notes, what happened to the contact, and what was done with the conversation. */
export const timelineItem = z.discriminatedUnion('kind', [
  message,
  note.extend({ kind: z.literal('note') }),
  z.object({ kind: z.literal('number_changed'), id: z.string(), at: z.string(), from: z.string() }),
  /** What was said of marketing: by the contact in their words or in the app of the platform, in a hosted form or to the bot, or noted by staff. */
  z.object({
    kind: z.literal('consent_changed'),
    id,
    at: z.string(),
    choice: z.enum(['opt_in', 'opt_out']),
    by: z.enum(consentSources),
  }),
  z.object({
    kind: z.literal('act'),
    id,
    at: z.string(),
    /** Null: the product did it by itself. */
    by: z.object({ id: id.nullable(), name: z.string() }).nullable(),
    what: act,
  }),
]);
