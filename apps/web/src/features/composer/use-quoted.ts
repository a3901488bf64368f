import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { authorName } from '../../shared/conversations/message-author.ts';
import { lineText } from '../../shared/conversations/message-line.tsx';
import { useQuotedMessage, type QuotedMessage } from '../../shared/conversations/quoted-message.ts';

/** The message that an answer refers to: as it was pressed, or read again after a reload and on another device. */
export function useQuoted(conversationId: string, replyTo: string | null): QuotedMessage | null {
  const pressed = useQuotedMessage(conversationId);
  const isKnown = pressed !== null && pressed.id === replyTo;
  const { data } = useQuery({
    ...orpc.conversations.listMessages.queryOptions({
      input: { conversationId, around: replyTo ?? '', limit: 3 },
      staleTime: Infinity,
    }),
    enabled: replyTo !== null && !isKnown,
    // One that was deleted meanwhile is not found however often it is asked for.
    retry: false,
  });
  if (isKnown) return pressed;
  const found = data?.items.find((item) => item.kind === 'message' && item.id === replyTo);
  if (replyTo === null || found?.kind !== 'message') return null;
  return { id: found.id, text: lineText(found), author: authorName(found) };
}
