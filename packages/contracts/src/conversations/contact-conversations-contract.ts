import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';
import { conversation } from './conversation-values.ts';

export const contactConversationsContract = {
  listOfContact: endpoint({
    method: 'GET',
    path: '/contacts/{contactId}/conversations',
    access: ['messages:read', 'contacts:read'],
    summary: 'All conversations with a contact, one for each channel, the last that moved first',
    input: z.object({ contactId: id }),
    output: z.object({ items: z.array(conversation) }),
    errors: ['contact_not_found'],
  }),
};
