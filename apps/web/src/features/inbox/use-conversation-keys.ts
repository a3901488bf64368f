import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api.ts';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import { noteConversation, type Conversation } from '../../shared/conversations/conversations-queries.ts';
import { useChangeConversations } from '../../shared/conversations/use-change-conversations.ts';
import { failureText } from '../../shared/failure-text.ts';
import { can } from '../../shared/session.ts';
import { notify } from '../../ui/toast.ts';

/** What the list itself can do with the conversation that is open; other rooms offer the rest. */
export function useConversationKeys(conversation: Conversation | undefined, onLeave: () => void): void {
  const change = useChangeConversations();
  const queryClient = useQueryClient();
  const mayChange = conversation !== undefined && can('messages:update');

  async function mark(marks: { isPinned?: boolean; isMuted?: boolean }) {
    if (!conversation) return;
    try {
      await noteConversation(
        queryClient,
        await api.conversations.mark({ conversationId: conversation.id, ...marks }),
      );
    } catch (error) {
      notify.error(failureText(error));
    }
  }

  useConversationCommand(
    conversation?.id ?? '',
    'archive',
    mayChange ? () => void change([conversation.id], { isArchived: !conversation.isArchived }) : null,
  );
  useConversationCommand(
    conversation?.id ?? '',
    'markUnread',
    mayChange
      ? () => {
          // The chat that stays open would mark it as read again.
          onLeave();
          void change([conversation.id], { isRead: false });
        }
      : null,
  );
  useConversationCommand(
    conversation?.id ?? '',
    'pin',
    conversation ? () => void mark({ isPinned: !conversation.isPinned }) : null,
  );
  useConversationCommand(
    conversation?.id ?? '',
    'mute',
    conversation ? () => void mark({ isMuted: !conversation.isMuted }) : null,
  );
}
