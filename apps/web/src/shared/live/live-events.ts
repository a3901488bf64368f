import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { LiveTopic } from '@app/domain/live/live-topics';
import { followLiveStream, NETWORK_CHANGES, type LivePayload, type LiveState } from './live-stream.ts';

export type { LivePayload, LiveState };
type LiveHandler = (payload: LivePayload) => void;

const topicHandlers = new Map<LiveTopic | 'resync', Set<LiveHandler>>();
const stateListeners = new Set<() => void>();
let endStream: (() => void) | undefined;
let state: LiveState = 'disconnected';
/** When this tab last heard from the server; before that it has read nothing yet. */
let heardAt = Date.now();
let isTelling = false;

/**
 * Begins to follow what happens in the workspace, from what happened since the tab was last told: no change falls between the
 * first reading of a page and its stream.
 *
 * @param scope whose events they are
 */
export function connectLiveEvents(scope: string): void {
  if (endStream) return;
  endStream = followLiveStream(scope, {
    heardAt: () => heardAt,
    onHeard: () => (heardAt = Date.now()),
    onEvent: ({ topic, payload }) => {
      heardAt = Date.now();
      isTelling = true;
      topicHandlers.get(topic)?.forEach((handle) => handle(payload));
      isTelling = false;
    },
    onState: setState,
  });
}

export function disconnectLiveEvents(): void {
  endStream?.();
  endStream = undefined;
  setState('disconnected');
}

/**
 * Whether requests have a chance. A computer without a network still reaches a product that runs on it: the stream
 * knows that, the browser does not.
 */
export function isReachable(): boolean {
  return navigator.onLine || state === 'connected';
}

/** For the cache of server data: events come, and one of them is being told just now. */
export const liveTelling = { isConnected: () => state === 'connected', isTelling: () => isTelling };

export function useIsReachable(): boolean {
  return useSyncExternalStore(onReachability, isReachable);
}

/** Calls back when `isReachable` may have changed. */
export function onReachability(listener: () => void): () => void {
  stateListeners.add(listener);
  for (const change of NETWORK_CHANGES) addEventListener(change, listener);
  return () => {
    stateListeners.delete(listener);
    for (const change of NETWORK_CHANGES) removeEventListener(change, listener);
  };
}

/** The real state of the stream, for the connection indicator. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    () => state,
  );
}

/**
 * Calls `handler` for each event of the topic while the component is shown. `resync` means that events were
 * missed for good: read everything anew.
 */
export function useLiveEvent(topic: LiveTopic | 'resync', handler: LiveHandler): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    const handle: LiveHandler = (payload) => latest.current(payload);
    const handlers = topicHandlers.get(topic) ?? new Set();
    topicHandlers.set(topic, handlers.add(handle));
    return () => {
      handlers.delete(handle);
    };
  }, [topic]);
}

function setState(next: LiveState): void {
  state = next;
  stateListeners.forEach((listener) => listener());
}
