import { useQueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { useAct } from '../../shared/acts/use-act.ts';

type Said = Parameters<typeof api.conversations.send>[0]['message'];

/** A file that somebody chose, took or recorded. */
export type OutgoingFile = { file: Blob; name: string; caption?: string; asVoice?: boolean };
/** What is said, with files that are still here. */
export type Outgoing =
  Exclude<Said, { files: unknown }> | { files: OutgoingFile[]; replyTo?: string; sendAt?: string };

/** Sends what was written in a conversation, and ends its draft with it. */
export function useSender(conversationId: string) {
  const queryClient = useQueryClient();
  const send = useAct(orpc.conversations.send.mutationOptions());
  return async (message: Outgoing, more: { writingId?: string } = {}): Promise<void> => {
    if ('files' in message) return;
    await send.mutateAsync({ conversationId, message, ...more });
    await queryClient.invalidateQueries({ queryKey: orpc.conversations.key() });
  };
}
