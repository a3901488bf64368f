/** What was said in a conversation. */
export function ChatPane({ conversationId }: { conversationId: string }) {
  return <div data-conversation={conversationId} className="min-h-0 flex-1 overflow-y-auto" />;
}
