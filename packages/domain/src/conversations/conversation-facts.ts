import { defineFact } from '../events/fact-definition.ts';
import { flag, listOf, oneOf, orNull, text, whole } from '../events/fact-values.ts';
import { dueKinds } from './teamwork/conversation-sla.ts';
import { nameConversations } from '../messaging/inbound-facts.ts';
import { conversationPriorities, conversationStatuses } from './conversation-status.ts';
import { messageDecisions } from './message-state.ts';

const live = [
  {
    topic: 'messages',
    payload: ({ subject, values }: { subject: string | null; values: Record<string, unknown> }) => ({
      conversationIds: values['conversationId'] ? [values['conversationId']] : subject ? [subject] : [],
    }),
  },
] as const;

/** Everybody whom a fact names goes from it when they are erased. */
const lists = { kind: 'contact', values: ['contactIds'] } as const;

const ofConversation = {
  version: 1,
  lists,
  subject: 'conversation',
  audit: { type: 'update', resource: 'messages' },
  live,
  forWebhooks: true,
} as const;

/** One message of ours, by its id. */
const ofMessage = {
  version: 1,
  lists,
  subject: 'message',
  values: { conversationId: orNull(text), contactIds: listOf(text) },
  audit: null,
  live: [...live, { topic: 'contacts' }],
  forWebhooks: true,
} as const;

/** A note for staff; `userIds` are those whom it mentions since. */
const ofNote = {
  ...ofConversation,
  values: { noteId: text, contactIds: listOf(text), userIds: listOf(text) },
} as const;

export const conversationFacts = {
  /** By messages of people: new ones, and those that came back. One fact for a whole group, as `messages.arrived`. */
  'conversations.opened': defineFact({
    ...ofConversation,
    values: { conversationIds: listOf(text), contactIds: listOf(text) },
    audit: null,
    // Browsers hear of it with the messages that opened them.
    live: [],
  }),
  'conversation.assigned': defineFact({
    ...ofConversation,
    version: 2,
    values: {
      contactIds: listOf(text),
      assigneeId: orNull(text),
      before: orNull(text),
      teamId: orNull(text),
    },
  }),
  /** Nobody was there for them; told when they begin to wait, not of each. */
  'conversations.unassigned': defineFact({
    ...ofConversation,
    values: { conversations: whole },
    audit: null,
    live: [],
  }),
  /** A target is about to be missed, or is. Each is told once. */
  'conversation.due_soon': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text), target: oneOf(dueKinds), at: text },
    audit: null,
  }),
  'conversation.due_missed': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text), target: oneOf(dueKinds), at: text },
    audit: null,
  }),
  /** All that somebody had in hand who left, in one act; the act that made them leave stands in the log. */
  'conversations.handed_over': defineFact({
    ...ofConversation,
    values: { from: text, to: orNull(text), conversations: whole },
    audit: null,
    live: [{ topic: 'messages' }],
  }),
  /** One thing that somebody did with many. */
  'conversations.changed': defineFact({
    ...ofConversation,
    version: 2,
    subjects: 'conversationIds',
    values: {
      conversationIds: listOf(text),
      contactIds: listOf(text),
      conversations: whole,
      change: oneOf(['assigned', 'unassigned', 'status', 'priority', 'labelled', 'archived', 'read']),
      assigneeId: orNull(text),
      teamId: orNull(text),
      status: orNull(oneOf(conversationStatuses)),
      snoozedUntil: orNull(text),
      priority: orNull(oneOf(conversationPriorities)),
      added: listOf(text),
      removed: listOf(text),
    },
  }),
  'conversation.status_changed': defineFact({
    ...ofConversation,
    values: {
      contactIds: listOf(text),
      status: oneOf(conversationStatuses),
      before: oneOf(conversationStatuses),
      snoozedUntil: orNull(text),
    },
  }),
  'conversation.prioritised': defineFact({
    ...ofConversation,
    values: {
      contactIds: listOf(text),
      priority: oneOf(conversationPriorities),
      before: oneOf(conversationPriorities),
    },
  }),
  'conversation.archived': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text), isArchived: flag },
  }),
  'conversation.labelled': defineFact({
    ...ofConversation,
    version: 2,
    values: { contactIds: listOf(text), labels: listOf(text), added: listOf(text), removed: listOf(text) },
  }),
  'conversation.unread': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text) },
    audit: null,
    forWebhooks: false,
  }),
  'conversation.read': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text) },
    audit: null,
    forWebhooks: false,
  }),
  'conversation.note_added': defineFact({ ...ofNote, audit: { type: 'create', resource: 'messages' } }),
  'conversation.note_edited': defineFact(ofNote),
  'conversation.note_deleted': defineFact({
    ...ofNote,
    values: { noteId: text, contactIds: listOf(text) },
    audit: { type: 'delete', resource: 'messages' },
  }),
  /** It waits for its time, or its time or words were changed. */
  'message.scheduled': defineFact({
    ...ofMessage,
    values: { ...ofMessage.values, sendAt: text },
    forWebhooks: false,
  }),
  /** A person took it back before it left. */
  'message.withdrawn': defineFact({
    ...ofMessage,
    audit: { type: 'delete', resource: 'messages' },
    forWebhooks: false,
  }),
  /** Several at once, before they left: those of a run that was cancelled. */
  'messages.withdrawn': defineFact({
    ...ofMessage,
    values: { messageIds: listOf(text), contactIds: listOf(text), conversationIds: listOf(text) },
    live: [{ topic: 'messages', payload: nameConversations }, { topic: 'contacts' }],
    forWebhooks: false,
  }),
  /** Its intent is committed; nothing has left yet. */
  'message.queued': defineFact({ ...ofMessage, forWebhooks: false }),
  /** The platform has it. */
  'message.sent': defineFact(ofMessage),
  /** It did not leave or was not taken, for `code`. */
  'message.failed': defineFact({ ...ofMessage, values: { ...ofMessage.values, code: text } }),
  /** Nobody knows whether it left. */
  'message.unknown': defineFact(ofMessage),
  /** By a person: that it was sent, or that it is to be sent again. */
  'message.decided': defineFact({
    ...ofMessage,
    values: { ...ofMessage.values, decision: oneOf(messageDecisions) },
    audit: { type: 'update', resource: 'messages' },
  }),
  /** How far messages came, for a whole group of reports. */
  'messages.reported': defineFact({
    ...ofMessage,
    version: 2,
    values: { messageIds: listOf(text), contactIds: listOf(text), conversationIds: listOf(text) },
    live: [{ topic: 'messages', payload: nameConversations }],
  }),
};
