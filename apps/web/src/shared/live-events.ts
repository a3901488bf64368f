import { useEffect, useRef, useSyncExternalStore } from 'react';
import { liveTopics, type LiveTopic } from '@app/domain/live/live-topics';

export type LiveState = 'connected' | 'connecting' | 'disconnected';
export type LivePayload = Record<string, unknown>;
type LiveHandler = (payload: LivePayload) => void;

const RECONNECT_MS = 3_000;
const NETWORK_CHANGES = ['online', 'offline'] as const;
const topicHandlers = new Map<LiveTopic | 'resync', Set<LiveHandler>>();
const stateListeners = new Set<() => void>();
let source: EventSource | null = null;
let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
let state: LiveState = 'disconnected';
/** When this tab last heard from the server; before that it has read nothing yet. */
let heardAt = Date.now();

/**
 * Opens the tab's one event stream. It begins with what happened since the tab was last told, so that no change falls
 * between the first reading of a page and its stream; the browser resumes it after the last id it saw.
 */
export function connectLiveEvents(): void {
  if (source) return;
  setState('connecting');
  for (const change of NETWORK_CHANGES) addEventListener(change, reopen);
  const stream = new EventSource(`/api/events?age=${Date.now() - heardAt}`);
  source = stream;
  stream.onopen = () => setState('connected');
  stream.onerror = () => {
    if (stream.readyState !== EventSource.CLOSED) return setState('connecting');
    // The server refused the stream (signed out, restarting): the browser gave up, so we try again.
    disconnectLiveEvents();
    reconnectTimer = setTimeout(connectLiveEvents, RECONNECT_MS);
  };
  stream.addEventListener('ready', hear);
  for (const topic of [...liveTopics, 'resync'] as const) {
    stream.addEventListener(topic, (event) => {
      hear();
      const payload: LivePayload = JSON.parse(event.data);
      topicHandlers.get(topic)?.forEach((handle) => handle(payload));
    });
  }
}

export function disconnectLiveEvents(): void {
  for (const change of NETWORK_CHANGES) removeEventListener(change, reopen);
  clearTimeout(reconnectTimer);
  source?.close();
  source = null;
  setState('disconnected');
}

/** The network has changed: a stream over the old one may hang for minutes before the browser gives it up. */
function reopen(): void {
  disconnectLiveEvents();
  connectLiveEvents();
}

/**
 * Whether requests have a chance. A computer without a network still reaches a product that runs on it: the stream
 * knows that, the browser does not.
 */
export function isReachable(): boolean {
  return navigator.onLine || state === 'connected';
}

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

function hear(): void {
  heardAt = Date.now();
}

function setState(next: LiveState): void {
  state = next;
  stateListeners.forEach((listener) => listener());
}
