import { viewerStates } from '@app/domain/conversations/viewer-rules';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

const viewer = z.object({ id, name: z.string(), isTyping: z.boolean() });
const access = ['messages:read', 'contacts:read'] as const;

/** Who of staff looks at a conversation now, and who types in it. */
export const conversationViewersContract = {
  listViewers: endpoint({
    method: 'GET',
    path: '/conversation-viewers',
    access,
    summary: 'Who looks at which conversation now; changes come as live events `viewers`',
    input: z.object({}),
    output: z.object({ items: z.array(z.object({ conversationId: id, people: z.array(viewer) })) }),
  }),
  tellViewing: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/viewers',
    access,
    repeat: { harmless: 'It says again what the tab shows.' },
    summary: 'A tab says that the caller looks at the conversation, types in it, or has left it',
    input: z.strictObject({
      conversationId: id,
      tab: z.string().min(8).max(40),
      state: z.enum(viewerStates),
    }),
    output: z.object({}),
    errors: ['conversation_not_found'],
  }),
};
