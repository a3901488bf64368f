import type { Viewer } from '@app/domain/conversations/viewer-rules';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useIdle } from '../activity/use-idle.ts';
import { useSession } from '../session.ts';
import { onViewers, tellNoTyping, tellTyping, view, viewersOf } from './viewers-store.ts';

export type Presence = {
  /** Colleagues who look at it now. */
  viewers: readonly Viewer[];
  /** Those of them who write an answer. */
  typists: readonly Viewer[];
  /** Call it with each key stroke. */
  tellTyping: () => void;
  /** Call it when what was written is sent or thrown away. */
  tellNoTyping: () => void;
};

/** Says that this person looks at the conversation while the component is shown and somebody is there, and who else does. */
export function usePresence(conversationId: string): Presence {
  const isIdle = useIdle();
  useEffect(() => (isIdle ? undefined : view(conversationId)), [conversationId, isIdle]);
  const viewers = useViewers(conversationId);
  const typists = useMemo(() => viewers.filter(({ isTyping }) => isTyping), [viewers]);
  const tell = useCallback(() => tellTyping(conversationId), [conversationId]);
  const tellNone = useCallback(() => tellNoTyping(conversationId), [conversationId]);
  return { viewers, typists, tellTyping: tell, tellNoTyping: tellNone };
}

/** Colleagues who look at a conversation now, for the row of a list: it says nothing of this person. */
export function useViewers(conversationId: string): readonly Viewer[] {
  const people = useSyncExternalStore(onViewers, () => viewersOf(conversationId));
  const { user } = useSession();
  const ownId = user?.id;
  return useMemo(() => people.filter(({ id }) => id !== ownId), [people, ownId]);
}
