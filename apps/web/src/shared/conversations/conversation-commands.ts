import { useEffect, useRef } from 'react';

/** What can be done with the open conversation by a key; each is offered by the room that can do it. */
export const conversationCommands = [
  ...['reply', 'note', 'template', 'quickReply'],
  ...['assign', 'assignToMe', 'resolve', 'snooze', 'label'],
  ...['archive', 'markUnread', 'pin', 'mute', 'panel', 'searchWithin'],
] as const;
export type ConversationCommand = (typeof conversationCommands)[number];

const offered = new Map<string, (() => void)[]>();

/**
 * Offers a command while the component is shown: `useConversationCommand('reply', () => field.current?.focus())`. Who came last
 * answers. Pass `null` while it cannot be done, such as for want of a permission.
 */
export function useConversationCommand(name: ConversationCommand, run: (() => void) | null): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isOffered = run !== null;
  useEffect(() => {
    if (!isOffered) return undefined;
    const act = () => latest.current?.();
    offered.set(name, [...(offered.get(name) ?? []), act]);
    return () => {
      offered.set(
        name,
        (offered.get(name) ?? []).filter((other) => other !== act),
      );
    };
  }, [name, isOffered]);
}

/** Does it, if somebody offers it; answers whether. */
export function runConversationCommand(name: ConversationCommand): boolean {
  const run = offered.get(name)?.at(-1);
  run?.();
  return run !== undefined;
}
