import { useSyncExternalStore } from 'react';
import { loadFile } from '../../ui/load-file.ts';
import { NETWORK_CHANGES } from './network-changes.ts';
import type { LivePayload, LiveState, LiveStreamEvent } from './live-stream.ts';

export type { LivePayload, LiveState };

const listeners = new Set<(event: LiveStreamEvent) => void>();
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
  let isOver = false;
  let end: (() => void) | undefined;
  endStream = () => {
    isOver = true;
    end?.();
  };
  setState('connecting');
  // What happens until its file is there comes with the first events.
  void loadFile(() => import('./live-stream.ts')).then(({ followLiveStream }) => {
    if (isOver) return;
    end = followLiveStream(scope, {
      heardAt: () => heardAt,
      onHeard: () => (heardAt = Date.now()),
      onEvent: tellLiveEvent,
      onState: setState,
    });
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

/** Calls back for each event; `useLiveQuery` is what a page needs. The answer ends it. */
export function onLiveEvent(listener: (event: LiveStreamEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the stream does with each of its events. */
export function tellLiveEvent(event: LiveStreamEvent): void {
  heardAt = Date.now();
  isTelling = true;
  listeners.forEach((listener) => listener(event));
  isTelling = false;
}

function setState(next: LiveState): void {
  state = next;
  stateListeners.forEach((listener) => listener());
}
