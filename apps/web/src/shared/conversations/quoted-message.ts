import { useSyncExternalStore } from 'react';

/** A message that an answer refers to, as it is shown above the text. */
export type QuotedMessage = { id: string; text: string; author: string };

const quoted = new Map<string, QuotedMessage>();
const listeners = new Set<() => void>();

/** Whoever presses Reply at a message: the composer of the conversation shows it, and takes the focus. Null takes it away. */
export function quoteMessage(conversationId: string, message: QuotedMessage | null): void {
  if (message) quoted.set(conversationId, message);
  else quoted.delete(conversationId);
  for (const listener of listeners) listener();
}

/** The message that the next answer of this conversation refers to. */
export function useQuotedMessage(conversationId: string): QuotedMessage | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => quoted.get(conversationId) ?? null,
  );
}
