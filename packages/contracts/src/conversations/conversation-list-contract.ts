import {
  cleanLabels,
  conversationLimits,
  conversationPriorities,
  conversationStatuses,
} from '@app/domain/conversations/conversation-status';
import { lineKinds } from '@app/domain/conversations/shown-message';
import { conversationOrders, listLimits } from '@app/domain/conversations/list/conversation-filter';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';
import { conversation } from './conversation-values.ts';

const read = ['messages:read', 'contacts:read'] as const;

/** What leaves conversations out of a list; saved views keep it. */
export const conversationFilter = z.object({
  status: z.enum(conversationStatuses).optional(),
  priority: z.enum(conversationPriorities).optional(),
  /** `me`, `nobody`, or the id of a person. */
  assignee: z.union([z.enum(['me', 'nobody']), id]).optional(),
  unread: z.enum(['yes']).optional(),
  archived: z.enum(['yes', 'no']).default('no'),
  /** Those that the person who asks has pinned, or all others. */
  pinned: z.enum(['yes', 'no']).optional(),
  label: z.string().max(conversationLimits.label).optional(),
  teamId: id.optional(),
  channelId: id.optional(),
});

const labels = z
  .array(z.string().max(1000))
  .max(1000)
  .transform(cleanLabels)
  .pipe(z.array(z.string().max(conversationLimits.label)).max(conversationLimits.labels));

/** One thing that is done with many. */
const change = z.union([
  z.strictObject({ assigneeId: id.nullable(), teamId: id.nullable().optional() }),
  z.strictObject({ status: z.enum(conversationStatuses), snoozedUntil: instant.nullable().default(null) }),
  z.strictObject({ priority: z.enum(conversationPriorities) }),
  z.strictObject({ addLabels: labels.default([]), removeLabels: labels.default([]) }),
  z.strictObject({ isArchived: z.boolean() }),
  /** Read: all that had arrived. Unread: the last message of the contact. */
  z.strictObject({ isRead: z.boolean() }),
]);

/** A message that was found by its words. */
const foundMessage = z.object({
  id,
  conversationId: id,
  contact: z.object({ id, name: z.string() }),
  direction: z.enum(['in', 'out']),
  kind: z.enum(lineKinds),
  /** Its own words about where those stand that were looked for. */
  text: z.string(),
  at: z.string(),
});

export const conversationListContract = {
  list: endpoint({
    method: 'GET',
    path: '/conversations',
    access: read,
    forKeys: {
      example: { assignee: 'nobody', limit: 2 },
    },
    summary: 'Conversations, the last that moved first; or those first that the person who asks has pinned',
    input: pageInput.extend({
      ...conversationFilter.shape,
      /** A part of the name or number of the contact. `/conversations/search` finds words of messages too. */
      search: z.string().max(200).optional(),
      order: z.enum(conversationOrders).default('newest'),
    }),
    output: page(conversation),
  }),
  search: endpoint({
    method: 'GET',
    path: '/conversations/search',
    access: read,
    forKeys: { example: { search: 'price', limit: 2 } },
    summary:
      'Conversations of contacts whose name or number holds the text, and messages with all of its words, the newest first; the last word may be the beginning of one',
    input: pageInput.extend({
      search: z.string().trim().min(listLimits.shortestSearch).max(listLimits.longestSearch),
    }),
    output: z.object({
      /** With the first page alone. */
      conversations: z.array(conversation),
      messages: z.array(foundMessage),
      nextCursor: z.string().nullable(),
    }),
  }),
  count: endpoint({
    method: 'GET',
    path: '/conversations/counts',
    access: read,
    summary: 'How many conversations wait to be read, up to a thousand of each',
    input: z.object({}),
    output: z.object({
      /** Unread, not muted, and in the hands of the person who asks or of nobody. */
      mine: z.number(),
      /** All that the list shows as unread. */
      unread: z.number(),
    }),
  }),
  pinMany: endpoint({
    method: 'PUT',
    path: '/conversations/pins',
    access: read,
    repeat: { harmless: 'It sets the pins of the person who asks.' },
    summary: 'Pins up to 200 conversations for the person who asks, or takes the pins away',
    input: z.strictObject({
      conversationIds: z.array(id).min(1).max(listLimits.changed),
      isPinned: z.boolean(),
    }),
    output: z.object({
      /** Those that it changed; all others are as wanted already, or unknown. */
      conversationIds: z.array(id),
    }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/conversations/change',
    access: ['messages:update', 'contacts:read'],
    repeat: 'keyed',
    summary:
      'Does one thing with up to 200 conversations, all in one transaction; those that it left alone are told with the reason',
    input: z.strictObject({
      conversations: z
        .array(z.strictObject({ id, version: z.number().int().min(1).max(2_000_000_000).optional() }))
        .min(1)
        .max(listLimits.changed),
      change,
    }),
    output: z.object({
      changed: z.array(
        z.object({
          id,
          version: z.number(),
          /** What it was before, for whoever takes it back. */
          before: z.object({
            assigneeId: id.nullable(),
            teamId: id.nullable(),
            status: z.enum(conversationStatuses),
            priority: z.enum(conversationPriorities),
            snoozedUntil: z.string().nullable(),
            labels: z.array(z.string()),
            isArchived: z.boolean(),
          }),
        }),
      ),
      left: z.array(
        z.object({
          id,
          why: z.enum(['not_found', 'changed_meanwhile', 'as_it_was', 'too_many_labels', 'nothing_to_mark']),
        }),
      ),
    }),
    errors: [
      'conversation_assignee_unknown',
      'conversation_team_unknown',
      'conversation_snooze_invalid',
      'conversation_labels_full',
    ],
  }),
};
