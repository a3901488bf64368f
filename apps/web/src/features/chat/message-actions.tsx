import { useQueryClient } from '@tanstack/react-query';
import { Ban, Copy, CornerUpLeft, Info, RefreshCw, SmilePlus } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { quoteMessage } from '../../shared/conversations/quoted-message.ts';
import { authorName } from '../../shared/conversations/message-author.ts';
import { lineText } from '../../shared/conversations/message-line.tsx';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { findText, t } from '../../shared/messages.ts';
import { sayRefusal } from '../../shared/outbox/outbox-words.ts';
import { can } from '../../shared/session.ts';
import { notify } from '../../ui/toast.ts';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import type { Message } from './timeline-window.ts';

/** What stands in a campaign is sent again there, and answered by the platform's id alone. */
const isOwnRow = ({ id }: Message) => !id.startsWith('r');

export type MessageActions = {
  retry: (messageId: string) => void;
  withdraw: (messageId: string) => void;
  decide: (messageId: string, decision: 'sent' | 'send_again') => void;
};

/** What can be done with messages of a conversation; the same object for as long as it is shown. */
export function useMessageActions(conversationId: string): MessageActions {
  const queryClient = useQueryClient();
  const common = {
    onError: (error: unknown) => {
      const failure = readFailure(error);
      notify.error(findText(`outbox.refused.${failure.code}`) ? sayRefusal(failure) : errorMessage(error));
    },
    onSettled: () =>
      queryClient.invalidateQueries({
        queryKey: orpc.conversations.listMessages.key({ input: { conversationId } }),
      }),
  };
  const retry = useAction({
    mutationFn: (messageId: string) => api.conversations.tryAgain({ conversationId, messageId }),
    ...common,
  });
  const withdraw = useAction({
    mutationFn: (messageId: string) => api.conversations.withdraw({ conversationId, messageId }),
    ...common,
  });
  const decide = useAction({
    mutationFn: (input: { messageId: string; decision: 'sent' | 'send_again' }) =>
      api.conversations.decideUnknown({ conversationId, ...input }),
    ...common,
  });
  const latest = useRef({ retry, withdraw, decide });
  useEffect(() => {
    latest.current = { retry, withdraw, decide };
  });
  return useMemo(
    () => ({
      retry: (messageId) => latest.current.retry.mutate(messageId),
      withdraw: (messageId) => latest.current.withdraw.mutate(messageId),
      decide: (messageId, decision) => latest.current.decide.mutate({ messageId, decision }),
    }),
    [],
  );
}

export function mayRetry(message: Message): boolean {
  const { state, direction, isTriedAgain } = message;
  return (
    can('messages:create') &&
    isOwnRow(message) &&
    direction === 'out' &&
    !isTriedAgain &&
    (state === 'failed' || (state === 'cancelled' && message.error?.code !== 'withdrawn'))
  );
}

export function replyTo(conversationId: string, message: Message): void {
  quoteMessage(conversationId, { id: message.id, text: lineText(message), author: authorName(message) });
}

export function mayReply(message: Message): boolean {
  return can('messages:create') && isOwnRow(message) && !message.isRevoked;
}

export function menuOf(
  message: Message,
  {
    conversationId,
    acts,
    onReact,
    onDetails,
  }: { conversationId: string; acts: MessageActions; onReact: () => void; onDetails: () => void },
): MenuEntry[] {
  const text = message.isRevoked ? '' : (message.text ?? '');
  const entries: (MenuEntry | null)[] = [
    mayReply(message)
      ? {
          label: t('chat.reply'),
          icon: <CornerUpLeft />,
          shortcut: 'R',
          onSelect: () => replyTo(conversationId, message),
        }
      : null,
    mayReply(message)
      ? { label: t('chat.react'), icon: <SmilePlus />, shortcut: 'E', onSelect: onReact }
      : null,
    text === ''
      ? null
      : { label: t('chat.copy'), icon: <Copy />, shortcut: 'C', onSelect: () => void copyText(text) },
    mayRetry(message)
      ? { label: t('chat.retry'), icon: <RefreshCw />, onSelect: () => acts.retry(message.id) }
      : null,
    message.state === 'queued' && isOwnRow(message) && can('messages:create')
      ? { label: t('chat.withdraw'), icon: <Ban />, onSelect: () => acts.withdraw(message.id) }
      : null,
    { label: t('chat.details'), icon: <Info />, shortcut: 'I', onSelect: onDetails },
  ];
  return entries.filter((entry) => entry !== null);
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(t('chat.copied'));
  } catch {
    notify.error(t('chat.notCopied'));
  }
}
