import { useEffect, useRef } from 'react';

/** What can be done with the open conversation by a key; each is offered by the room that can do it. */
export const conversationCommands = [
  ...['reply', 'note', 'template', 'quickReply'],
  ...['assign', 'assignToMe', 'resolve', 'snooze', 'label', 'priority'],
  ...['archive', 'markUnread', 'pin', 'mute', 'panel', 'searchWithin'],
] as const;
export type ConversationCommand = (typeof conversationCommands)[number];

const offered = new Map<string, (() => void)[]>();

/** Keys may come before the room that does what they ask for: so long it is waited for. */
const WAIT_MS = 10_000;
let awaited: { key: string; until: number } | null = null;

const keyOf = (conversationId: string, name: ConversationCommand) => `${conversationId} ${name}`;

/** Offers a command of a conversation until what it answers is called. Who came last does it; what was asked for before is done at once. */
export function offerConversationCommand(
  conversationId: string,
  name: ConversationCommand,
  run: () => void,
): () => void {
  const key = keyOf(conversationId, name);
  offered.set(key, [...(offered.get(key) ?? []), run]);
  if (awaited?.key === key) {
    const isStillWanted = Date.now() < awaited.until;
    awaited = null;
    if (isStillWanted) run();
  }
  return () => {
    const others = (offered.get(key) ?? []).filter((other) => other !== run);
    if (others.length > 0) offered.set(key, others);
    else offered.delete(key);
  };
}

/**
 * Offers a command of the conversation while the component is shown: `useConversationCommand(id, 'reply', () => field.current?.focus())`.
 * Pass `null` while it cannot be done, such as for want of a permission.
 */
export function useConversationCommand(
  conversationId: string,
  name: ConversationCommand,
  run: (() => void) | null,
): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isOffered = run !== null;
  useEffect(() => {
    if (!isOffered) return undefined;
    return offerConversationCommand(conversationId, name, () => latest.current?.());
  }, [conversationId, name, isOffered]);
}

/** Does it, or has it done as soon as somebody offers it, unless something else is asked for first; answers whether it was done. */
export function runConversationCommand(conversationId: string, name: ConversationCommand): boolean {
  const run = offered.get(keyOf(conversationId, name))?.at(-1);
  if (run) awaited = null;
  else awaitConversationCommand(conversationId, name);
  run?.();
  return run !== undefined;
}

/** Has it done by who offers it next. */
export function awaitConversationCommand(conversationId: string, name: ConversationCommand): void {
  awaited = { key: keyOf(conversationId, name), until: Date.now() + WAIT_MS };
}
