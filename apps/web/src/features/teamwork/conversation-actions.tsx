import type { Conversation } from '../../shared/conversations/conversations-queries.ts';

/** Who has a conversation, what state it is in and what else is done with it: in the head of the chat. */
export function ConversationActions({ conversation }: { conversation: Conversation }) {
  return <span data-conversation={conversation.id} />;
}
