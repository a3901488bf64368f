import type { Conversation } from '../../shared/conversations/conversations-queries.ts';

/** Where an answer is written. */
export function Composer({ conversation }: { conversation: Conversation }) {
  return <div data-conversation={conversation.id} />;
}
