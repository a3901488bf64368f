import { useQueryClient } from '@tanstack/react-query';
import { Ban, Copy, CornerUpLeft, Info, RefreshCw, SmilePlus } from 'lucide-react';
import { api, orpc } from '../../shared/api.ts';
import { quoteMessage } from '../../shared/conversations/quoted-message.ts';
import { lineText } from '../../shared/conversations/message-line.tsx';
import { useAct } from '../../shared/acts/use-act.ts';
import { failureText } from '../../shared/failure-text.ts';
import { readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { sayRefusal } from '../../shared/outbox/outbox-words.ts';
import { can } from '../../shared/session.ts';
import { findText } from '../../shared/messages.ts';
import { notify } from '../../ui/toast.ts';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import type { Message } from './timeline-window.ts';

/** What stands in a campaign is sent again there, and answered by the platform's id alone. */
const isOwnRow = ({ id }: Message) => !id.startsWith('r');

/** What can be done with a message, for its menu and its keys. */
export function useMessageActs(conversationId: string) {
  const queryClient = useQueryClient();
  const refresh = () =>
    void queryClient.invalidateQueries({
      queryKey: orpc.conversations.listMessages.key({ input: { conversationId } }),
    });
  const tell = (error: unknown) => {
    const failure = readFailure(error);
    notify.error(findText(`outbox.refused.${failure.code}`) ? sayRefusal(failure) : failureText(error));
  };
  const common = { onError: tell, onSettled: refresh };
  const retry = useAct({ mutationFn: (messageId: string) => api.conversations.tryAgain({ conversationId, messageId }), ...common });
  const withdraw = useAct({ mutationFn: (messageId: string) => api.conversations.withdraw({ conversationId, messageId }), ...common });
  const decide = useAct({
    mutationFn: (input: { messageId: string; decision: 'sent' | 'send_again' }) =>
      api.conversations.decideUnknown({ conversationId, ...input }),
    ...common,
  });
  return { retry, withdraw, decide };
}

export type MessageActs = ReturnType<typeof useMessageActs>;

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

/** Who said it, in words; empty for the contact, whose name the head of the chat says. */
export function authorName({ author, campaign }: Message): string {
  if (author.kind === 'contact') return '';
  if (author.kind === 'campaign') return campaign?.name || t('chat.author.campaign');
  return author.name || t(`chat.author.${author.kind}`);
}

export function menuOf(
  message: Message,
  {
    conversationId,
    acts,
    onReact,
    onDetails,
  }: { conversationId: string; acts: MessageActs; onReact: () => void; onDetails: () => void },
): MenuEntry[] {
  const text = message.isRevoked ? '' : (message.text ?? '');
  const entries: (MenuEntry | null)[] = [
    mayReply(message)
      ? { label: t('chat.reply'), icon: <CornerUpLeft />, shortcut: 'R', onSelect: () => replyTo(conversationId, message) }
      : null,
    mayReply(message) ? { label: t('chat.react'), icon: <SmilePlus />, shortcut: 'E', onSelect: onReact } : null,
    text === ''
      ? null
      : { label: t('chat.copy'), icon: <Copy />, shortcut: 'C', onSelect: () => void copyText(text) },
    mayRetry(message)
      ? { label: t('chat.retry'), icon: <RefreshCw />, onSelect: () => acts.retry.mutate(message.id) }
      : null,
    message.state === 'queued' && isOwnRow(message) && can('messages:create')
      ? { label: t('chat.withdraw'), icon: <Ban />, onSelect: () => acts.withdraw.mutate(message.id) }
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
