import { labelColours } from '@app/domain/conversations/conversation-label';
import { cleanLabels, conversationLimits } from '@app/domain/conversations/conversation-status';
import { z } from 'zod';
import { endpoint, id, versioned } from '../endpoint.ts';

const name = z
  .string()
  .max(1000)
  .transform((text) => cleanLabels([text])[0] ?? '')
  .pipe(z.string().min(1).max(conversationLimits.label));
const colour = z.enum(labelColours);

export const conversationLabel = z.object({ id, name: z.string(), colour, version: z.number() });

export const conversationLabelsContract = {
  list: endpoint({
    method: 'GET',
    path: '/inbox/labels',
    access: 'messages:read',
    forKeys: true,
    summary: 'All labels of the workspace',
    input: z.object({}),
    output: z.object({ items: z.array(conversationLabel) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/inbox/labels',
    access: 'messages:update',
    repeat: 'keyed',
    summary: 'Adds a label; without a colour it gets one',
    input: z.strictObject({ name, colour: colour.optional() }),
    output: conversationLabel,
    errors: ['conversation_label_taken', 'conversation_labels_full'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/inbox/labels/{labelId}',
    access: 'messages:manage',
    repeat: versioned,
    work: 'long',
    summary: 'Renames or recolours a label; conversations that have it keep it',
    input: z.strictObject({
      labelId: id,
      name: name.optional(),
      colour: colour.optional(),
      version: z.number().int().min(1).max(2_000_000_000),
    }),
    output: conversationLabel,
    errors: ['conversation_label_not_found', 'conversation_label_taken', 'conversation_label_changed'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/inbox/labels/{labelId}',
    access: 'messages:manage',
    repeat: 'keyed',
    work: 'long',
    summary: 'Deletes a label, and takes it off all conversations that have it',
    input: z.strictObject({ labelId: id }),
    output: z.object({ conversations: z.number() }),
    errors: ['conversation_label_not_found'],
  }),
  countUse: endpoint({
    method: 'GET',
    path: '/inbox/labels/{labelId}/use',
    access: 'messages:read',
    summary: 'How many conversations have a label, before it is deleted',
    input: z.object({ labelId: id }),
    output: z.object({ conversations: z.number() }),
    errors: ['conversation_label_not_found'],
  }),
};
