import { cleanText } from '@app/domain/contacts/contact';
import { conversationOrders } from '@app/domain/conversations/list/conversation-filter';
import { gonePartsOfViews, viewLimits } from '@app/domain/conversations/list/conversation-view';
import { z } from 'zod';
import { endpoint, id, versioned } from '../endpoint.ts';
import { conversationFilter } from './conversation-list-contract.ts';

/** As the list is asked. */
const query = z.strictObject({
  ...conversationFilter.shape,
  order: z.enum(conversationOrders).default('newest'),
});

export const conversationView = z.object({
  id,
  name: z.string(),
  query,
  /** Everybody's, or of the person who asks alone. */
  isShared: z.boolean(),
  /** What it names that is gone by now. */
  gone: z.array(z.enum(gonePartsOfViews)),
  version: z.number(),
});

const name = z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(viewLimits.name));
const parts = { name, query, isShared: z.boolean().default(false) };
const refusals = ['conversation_view_taken', 'conversation_view_shared', 'conversation_views_full'] as const;

export const conversationViewsContract = {
  list: endpoint({
    method: 'GET',
    path: '/inbox/views',
    access: 'messages:read',
    summary: 'Saved views of everybody and of the person who asks, by name',
    input: z.object({}),
    output: z.object({ items: z.array(conversationView) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/inbox/views',
    access: 'messages:read',
    repeat: 'keyed',
    summary: 'Saves filters and order under a name; a view for everybody asks for messages:manage',
    input: z.strictObject(parts),
    output: conversationView,
    errors: refusals,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/inbox/views/{viewId}',
    access: 'messages:read',
    repeat: versioned,
    summary: 'Sets all of it, unless someone else changed it since `version`',
    input: z.strictObject({
      ...parts,
      viewId: id,
      version: z.number().int().min(1).max(2_000_000_000),
    }),
    output: conversationView,
    errors: [...refusals, 'conversation_view_not_found', 'conversation_view_changed'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/inbox/views/{viewId}',
    access: 'messages:read',
    repeat: 'keyed',
    summary: 'Deletes a view; conversations are not touched',
    input: z.strictObject({ viewId: id }),
    output: z.object({}),
    errors: ['conversation_view_not_found', 'conversation_view_shared'],
  }),
};
