import { liveTopics, type LiveTopic } from '@app/domain/live/live-topics';
import { newKey } from '../actions/request-memory.ts';
import { inWorkspace } from '../workspaces/tab-workspace.ts';
import { NETWORK_CHANGES } from './network-changes.ts';

export type LiveState = 'connected' | 'connecting' | 'disconnected';
export type LivePayload = Record<string, unknown>;
/** `resync` means that events were missed for good: read everything anew. */
export type LiveStreamEvent = { topic: LiveTopic | 'resync'; payload: LivePayload };

export type LiveStreamListener = {
  /** When this tab last heard from the server, in milliseconds since 1970: the stream begins with what came after. */
  heardAt(): number;
  /** The stream has begun; what was missed until now follows as events. */
  onHeard(): void;
  onEvent(event: LiveStreamEvent): void;
  onState(state: LiveState): void;
};

const RECONNECT_MS = 3_000;
const MOST_KEPT = 500;

type TabMessage =
  | { kind: 'event'; event: LiveStreamEvent }
  | { kind: 'state'; state: LiveState }
  /** A tab that has just opened asks for what it has missed. */
  | { kind: 'hello'; tab: string; heardAt: number }
  | { kind: 'welcome'; tab: string; state: LiveState; missed: LiveStreamEvent[] };

/**
 * Follows the workspace's events. All tabs of a browser share one stream, because a browser keeps only six connections
 * to a server that is reached without HTTP/2: the tab that holds the lock holds the stream and tells the others; when it
 * is closed, another takes over. Returns what ends it.
 *
 * @param scope whose events they are; tabs of another person or workspace share nothing with this one
 */
export function followLiveStream(scope: string, listener: LiveStreamListener): () => void {
  // Both exist on https and on this machine; elsewhere each tab has a stream of its own.
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) return holdStream(listener);
  const name = `live-events ${scope}`;
  const tabs = new BroadcastChannel(name);
  const tab = newKey();
  const ended = new AbortController();
  const recent = keepRecent();
  let state: LiveState = 'connecting';
  let isWelcome = false;
  let isHolder = false;

  const tell = (message: TabMessage) => tabs.postMessage(message);
  const sayHello = () => tell({ kind: 'hello', tab, heardAt: listener.heardAt() });
  const take = (event: LiveStreamEvent) => {
    recent.add(event);
    listener.onEvent(event);
  };
  const change = (next: LiveState) => {
    state = next;
    listener.onState(next);
  };

  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'event') take(data.event);
    if (data.kind === 'state') {
      change(data.state);
      // The holder changed before it could answer.
      if (!isWelcome && data.state === 'connected') sayHello();
    }
    if (data.kind === 'welcome' && data.tab === tab) {
      isWelcome = true;
      change(data.state);
      data.missed.forEach(take);
    }
    if (data.kind === 'hello' && isHolder)
      tell({ kind: 'welcome', tab: data.tab, state, missed: recent.since(data.heardAt) });
  };

  const hold = () => {
    isHolder = isWelcome = true;
    return holdStream({
      heardAt: listener.heardAt,
      onHeard: listener.onHeard,
      onEvent(event) {
        take(event);
        tell({ kind: 'event', event });
      },
      onState(next) {
        change(next);
        tell({ kind: 'state', state: next });
      },
    });
  };

  change('connecting');
  sayHello();
  navigator.locks
    .request(
      name,
      { signal: ended.signal },
      () =>
        new Promise<void>((release) => {
          const letGo = hold();
          ended.signal.addEventListener('abort', () => {
            letGo();
            release();
          });
        }),
    )
    // It ended before its turn came.
    .catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
  return () => {
    ended.abort();
    tabs.close();
    listener.onState('disconnected');
  };
}

/** Holds a stream to the server, resumed by the browser after the last event it saw. Returns what ends it. */
function holdStream(listener: LiveStreamListener): () => void {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    close();
    listener.onState('connecting');
    const opened = new EventSource(inWorkspace(`/api/events?age=${Date.now() - listener.heardAt()}`));
    stream = opened;
    opened.onopen = () => listener.onState('connected');
    opened.onerror = () => {
      if (opened.readyState !== EventSource.CLOSED) return listener.onState('connecting');
      // The server refused the stream (signed out, restarting): the browser gave up, so we try again.
      close();
      listener.onState('disconnected');
      timer = setTimeout(open, RECONNECT_MS);
    };
    opened.addEventListener('ready', () => listener.onHeard());
    for (const topic of [...liveTopics, 'resync'] as const)
      opened.addEventListener(topic, ({ data }) => {
        listener.onEvent({ topic, payload: JSON.parse(data) as LivePayload }); // written by our own server
      });
  }

  function close(): void {
    clearTimeout(timer);
    stream?.close();
  }

  // A stream over the network as it was may hang for minutes before the browser gives it up.
  for (const change of NETWORK_CHANGES) addEventListener(change, open);
  open();
  return () => {
    for (const change of NETWORK_CHANGES) removeEventListener(change, open);
    close();
    listener.onState('disconnected');
  };
}

/** The last events that this tab heard of, for tabs that open later. */
function keepRecent() {
  const kept: { at: number; event: LiveStreamEvent }[] = [];
  let completeSince = Date.now();
  return {
    add(event: LiveStreamEvent): void {
      kept.push({ at: Date.now(), event });
      const dropped = kept.length > MOST_KEPT ? kept.shift() : undefined;
      if (dropped) completeSince = dropped.at;
    },
    /** What came after this moment; a request to read anew when some of it is no longer known. */
    since(moment: number): LiveStreamEvent[] {
      if (moment < completeSince) return [{ topic: 'resync', payload: {} }];
      return kept.filter(({ at }) => at >= moment).map(({ event }) => event);
    },
  };
}
