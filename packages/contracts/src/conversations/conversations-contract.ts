import {
  cleanLabels,
  conversationLimits,
  conversationPriorities,
  conversationStatuses,
} from '@app/domain/conversations/conversation-status';
import { messageErrors } from '@app/domain/conversations/guard-message';
import { galleryShelves } from '@app/domain/conversations/gallery';
import { messageDecisions } from '@app/domain/conversations/message-state';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput, versioned } from '../endpoint.ts';
import { conversationListContract } from './conversation-list-contract.ts';
import { contactConversationsContract } from './contact-conversations-contract.ts';
import { conversationNotesContract } from './conversation-notes-contract.ts';
import { conversation, message, scheduledMessage, timelineItem } from './conversation-values.ts';
import { newMessage } from './new-message.ts';
import { conversationViewersContract } from './conversation-viewers-contract.ts';

const one = z.object({ conversationId: id });
const changed = one.extend({ version: z.number().int().min(1).max(2_000_000_000) });
/** A message of a campaign is named by its place in the run. */
const placeInChat = z.union([id, z.string().regex(/^r\d{1,18}\.\d{1,9}$/)]);
const messageIds = z
  .string()
  .max(1900)
  .transform((list) => list.split(','))
  .pipe(z.array(id).min(1).max(50));
const read = ['messages:read', 'contacts:read'] as const;
const change = ['messages:update', 'contacts:read'] as const;
const label = z
  .string()
  .max(1000)
  .transform((name) => cleanLabels([name])[0] ?? '')
  .pipe(z.string().min(1).max(conversationLimits.label));
const labels = z
  .array(z.string().max(1000))
  .max(1000)
  .transform(cleanLabels)
  .pipe(z.array(z.string().max(conversationLimits.label)).max(conversationLimits.labels));
/** Of acts on one message that has not left, or did not arrive. */
const waitingErrors = ['conversation_not_found', 'message_not_found', 'message_changed'] as const;
const refusals = ['conversation_not_found', 'conversation_changed'] as const;

export const conversationsContract = {
  ...conversationListContract,
  ...contactConversationsContract,
  ...conversationNotesContract,
  ...conversationViewersContract,
  get: endpoint({
    method: 'GET',
    path: '/conversations/{conversationId}',
    access: read,
    forKeys: true,
    summary: 'One conversation',
    input: one,
    output: conversation,
    errors: ['conversation_not_found'],
  }),
  listMessages: endpoint({
    method: 'GET',
    path: '/conversations/{conversationId}/messages',
    access: read,
    forKeys: true,
    summary:
      'What was said, newest first, with the messages of campaigns; from a cursor on in either direction, around a message, or by ids. People see their notes, and what was done with the conversation, between them',
    input: pageInput.extend({
      conversationId: id,
      direction: z.enum(['older', 'newer']).default('older'),
      /** The id of a message or note, or `unread` for the first that nobody read; in place of a cursor. */
      around: z.union([z.literal('unread'), placeInChat]).optional(),
      /** Only these messages, at most 50 ids with commas between them; in place of a cursor. Ids of other conversations are left out. */
      ids: messageIds.optional(),
    }),
    output: z.object({
      items: z.array(timelineItem),
      /** Where older ones go on; null at the beginning, and where messages were asked for by their ids. */
      older: z.string().nullable(),
      /** Where newer ones will be. */
      newer: z.string().nullable(),
      /** Whether there are newer ones already. */
      hasNewer: z.boolean(),
    }),
    errors: ['conversation_not_found', 'message_not_found'],
  }),
  searchMessages: endpoint({
    method: 'GET',
    path: '/conversations/{conversationId}/search',
    access: read,
    summary:
      'Messages of the conversation with these words, newest first. A reading looks at a stretch of a long history; a page may be empty and have a next one',
    input: pageInput.extend({ conversationId: id, search: z.string().trim().min(1).max(200) }),
    output: page(message).extend({
      /** How far back it has looked. */
      until: z.string().nullable(),
    }),
    errors: ['conversation_not_found'],
  }),
  listFiles: endpoint({
    method: 'GET',
    path: '/conversations/{conversationId}/gallery',
    access: read,
    summary: 'Messages with pictures and videos, documents, voice and sound, or links; newest first',
    input: pageInput.extend({ conversationId: id, shelf: z.enum(galleryShelves).default('media') }),
    output: page(message),
    errors: ['conversation_not_found'],
  }),
  open: endpoint({
    method: 'POST',
    path: '/conversations',
    access: ['messages:create', 'contacts:read'],
    forKeys: true,
    repeat: { harmless: 'A contact has one conversation with a channel: a second request answers with it.' },
    summary:
      'The conversation with a contact, begun if there is none; through the number that the workspace sends through unless one is named',
    input: z.strictObject({ contactId: id, channelId: id.optional() }),
    output: conversation,
    errors: ['contact_not_found', 'channel_not_connected'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/messages',
    access: ['messages:create', 'contacts:read'],
    forKeys: true,
    repeat: 'keyed',
    summary:
      'Sends a text, a template, files, a reaction, a place, contact cards or a question with buttons, now or at a time; the answer says that it will be sent, and the message says how far it came',
    input: z.strictObject({
      conversationId: id,
      /** The draft that it was, which ends with it. */
      writingId: id.optional(),
      message: newMessage,
      /** Of whoever keeps messages until they are sent: one message for it, however late it is asked for again. */
      clientId: z
        .string()
        .regex(/^[\w-]{8,100}$/)
        .optional(),
    }),
    /** Of several files the first; `others` names the messages of the others. */
    output: message.extend({ others: z.array(id) }),
    errors: [
      'conversation_not_found',
      'message_not_found',
      'message_kind_unsupported',
      'message_content_invalid',
      'message_too_long',
      'message_time_invalid',
      'message_file_not_found',
      'message_file_used',
      'template_not_found',
      'template_not_approved',
      'custom_field_unknown',
      ...messageErrors,
      'daily_limit_reached',
      'budget_reached',
    ],
  }),
  decideUnknown: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/messages/{messageId}/decision',
    access: ['messages:create', 'contacts:read'],
    repeat: 'keyed',
    summary:
      'Decides of a message of which nobody knows whether it left: that it was sent, or that it is to be sent again',
    input: z.strictObject({ conversationId: id, messageId: id, decision: z.enum(messageDecisions) }),
    output: message,
    errors: ['conversation_not_found', 'message_not_found', 'message_changed', ...messageErrors],
  }),
  listScheduled: endpoint({
    method: 'GET',
    path: '/scheduled-messages',
    access: read,
    forKeys: { example: { limit: 2 } },
    summary:
      'Messages that wait for their time, the next one first; of all conversations unless one is named',
    input: pageInput.extend({ conversationId: id.optional() }),
    output: page(scheduledMessage),
  }),
  changeScheduled: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/scheduled-messages/{messageId}',
    access: ['messages:create', 'contacts:read'],
    forKeys: true,
    repeat: { harmless: 'It sets the time and the words of what has not left.' },
    summary: 'Gives a message that waits another time, or a text other words',
    input: z.strictObject({
      ...{ conversationId: id, messageId: id, sendAt: instant.optional() },
      text: z.string().trim().min(1).max(conversationLimits.text).optional(),
    }),
    output: scheduledMessage,
    errors: [
      ...waitingErrors,
      'message_time_invalid',
      'message_kind_unsupported',
      'message_content_invalid',
      'message_too_long',
    ],
  }),
  sendScheduled: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/scheduled-messages/{messageId}/now',
    access: ['messages:create', 'contacts:read'],
    forKeys: true,
    repeat: 'keyed',
    summary: 'Sends a message that waits for its time at once',
    input: z.strictObject({ conversationId: id, messageId: id }),
    output: message,
    errors: waitingErrors,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/messages/{messageId}/withdrawal',
    access: ['messages:create', 'contacts:read'],
    forKeys: true,
    repeat: 'keyed',
    summary: 'Takes back a message that has not left: one that waits for its time, or its turn',
    input: z.strictObject({ conversationId: id, messageId: id }),
    output: z.object({ messageId: id }),
    errors: waitingErrors,
  }),
  tryAgain: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/messages/{messageId}/another-try',
    access: ['messages:create', 'contacts:read'],
    forKeys: true,
    repeat: 'keyed',
    summary: 'Sends what did not arrive as a new message, once',
    input: z.strictObject({ conversationId: id, messageId: id }),
    output: message,
    errors: [...waitingErrors, ...messageErrors, 'daily_limit_reached', 'budget_reached'],
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/read',
    access: change,
    repeat: { harmless: 'What is read stays read.' },
    summary:
      'Marks messages as read that somebody was shown, and older ones that had arrived by then; what comes late among them stays unread',
    input: z.strictObject({ conversationId: id, messageIds: z.array(id).min(1).max(200) }),
    output: conversation,
    errors: ['conversation_not_found'],
  }),
  markUnread: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/unread',
    access: change,
    repeat: { harmless: 'What is unread stays unread.' },
    summary: 'Marks the last message of the contact as unread, for everybody',
    input: one,
    output: conversation,
    errors: ['conversation_not_found'],
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/assignee',
    access: change,
    forKeys: true,
    repeat: versioned,
    summary:
      'Gives the conversation to a person of the workspace, or to nobody, and to a team or to none; without `teamId` the team stays',
    input: changed.extend({ assigneeId: id.nullable(), teamId: id.nullable().optional() }),
    output: conversation,
    errors: [...refusals, 'conversation_assignee_unknown', 'conversation_team_unknown'],
  }),
  listAssignees: endpoint({
    method: 'GET',
    path: '/inbox/assignees',
    access: change,
    forKeys: true,
    summary: 'Who may be given a conversation: people who may answer, and teams',
    input: z.object({}),
    output: z.object({
      people: z.array(
        z.object({
          id,
          name: z.string(),
          avatar: z.string().nullable(),
          isOnline: z.boolean(),
          /** Wants conversations that are given out by themselves. */
          isAvailable: z.boolean(),
          /** How many conversations of theirs are open. */
          open: z.number(),
        }),
      ),
      teams: z.array(z.object({ id, name: z.string(), memberCount: z.number(), isOwn: z.boolean() })),
    }),
  }),
  setAvailable: endpoint({
    method: 'PUT',
    path: '/inbox/assignees/me',
    access: change,
    repeat: { harmless: 'It sets a switch of the person who asks.' },
    summary: 'Says whether the person who asks wants conversations that are given out by themselves',
    input: z.strictObject({ isAvailable: z.boolean() }),
    output: z.object({ isAvailable: z.boolean() }),
  }),
  setStatus: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/status',
    access: change,
    forKeys: true,
    repeat: versioned,
    summary: 'Opens, resolves, sets to waiting, or snoozes until a time',
    input: changed.extend({
      status: z.enum(conversationStatuses),
      snoozedUntil: instant.nullable().default(null),
      /** Added to those that it has. */
      label: label.optional(),
    }),
    output: conversation,
    errors: [
      ...refusals,
      'conversation_snooze_invalid',
      'conversation_labels_full',
      'conversation_labels_many',
    ],
  }),
  setPriority: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/priority',
    access: change,
    forKeys: true,
    repeat: versioned,
    summary: 'Says how urgent the conversation is; its targets follow',
    input: changed.extend({ priority: z.enum(conversationPriorities) }),
    output: conversation,
    errors: [...refusals],
  }),
  setLabels: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/labels',
    access: change,
    forKeys: true,
    repeat: versioned,
    summary: 'Sets all labels; one that the workspace does not have yet joins its list',
    input: changed.extend({ labels }),
    output: conversation,
    errors: [...refusals, 'conversation_labels_full'],
  }),
  setArchived: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/archived',
    access: change,
    forKeys: true,
    repeat: versioned,
    summary: 'Puts the conversation into the archive or takes it out; a new message takes it out, too',
    input: changed.extend({ isArchived: z.boolean() }),
    output: conversation,
    errors: [...refusals],
  }),
  mark: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/marks',
    access: read,
    repeat: { harmless: 'It sets the marks of the person who asks.' },
    summary: 'Pins or mutes the conversation for the person who asks',
    input: z.strictObject({
      conversationId: id,
      isPinned: z.boolean().optional(),
      isMuted: z.boolean().optional(),
    }),
    output: conversation,
    errors: ['conversation_not_found'],
  }),
};
