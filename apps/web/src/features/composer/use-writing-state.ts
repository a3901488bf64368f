import { useEffect, useState } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { findWritingBar, nextTick, windowLeft, type Channel, type WritingBar } from './writing-state.ts';

/** What stands in the way of an answer, and how long anything may be written; both follow the clock. */
export function useWritingState(
  conversation: Conversation,
  channel: Channel | null | undefined,
): { bar: WritingBar | null; left: number | null } {
  const [now, setNow] = useState(() => Date.now());
  const left = windowLeft({ conversation, channel }, now);
  useEffect(() => {
    const remaining = windowLeft({ conversation, channel }, Date.now());
    if (!remaining) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), nextTick(remaining) + 20);
    return () => clearTimeout(timer);
  }, [conversation, channel, now]);
  return { bar: findWritingBar({ conversation, channel }, now), left };
}
