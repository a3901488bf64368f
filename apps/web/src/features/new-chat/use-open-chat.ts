import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { noteConversation } from '../../shared/conversations/conversations-queries.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import type { Chosen } from './person-list.tsx';

const sayFailure = errorMessageOf({
  contact_not_found: 'newChat.error.gone',
  contact_erased: 'newChat.error.erased',
  contact_phone_invalid: 'newChat.error.number',
  channel_not_connected: 'newChat.noChannel',
});

/** Opens the conversation with a contact, or with a number, which becomes one first. */
export function useOpenChat(onOpened: (conversationId: string) => unknown) {
  const queryClient = useQueryClient();
  const { mutateAsync: create } = useAction(orpc.contacts.create.mutationOptions());
  const { mutateAsync: openOne } = useAction(orpc.conversations.open.mutationOptions());
  const [isOpening, setOpening] = useState(false);
  const [problem, setProblem] = useState<string>();

  const open = useCallback(
    async (person: Chosen, channelId: string | undefined) => {
      setOpening(true);
      setProblem(undefined);
      try {
        const contactId = 'id' in person ? person.id : await findOrCreate(person.phone);
        const opened = await openOne({ contactId, ...(channelId && { channelId }) });
        await noteConversation(queryClient, opened);
        onOpened(opened.id);
      } catch (error) {
        setProblem(sayFailure(error));
      } finally {
        setOpening(false);
      }

      async function findOrCreate(phone: string): Promise<string> {
        try {
          return (await create({ name: phone, phone, email: null, tags: [] })).id;
        } catch (error) {
          const { code, values } = readFailure(error);
          const taker = values['contactId'];
          // Somebody has the number already, perhaps written in another way: the refusal says who.
          if (code === 'contact_phone_taken' && typeof taker === 'string') return taker;
          throw error;
        }
      }
    },
    [create, openOne, queryClient, onOpened],
  );
  return { open, isOpening, problem };
}
