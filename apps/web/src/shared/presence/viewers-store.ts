import {
  TYPE_EVERY_MS,
  VIEW_EVERY_MS,
  type Viewer,
  type ViewerState,
} from '@app/domain/conversations/viewer-rules';
import { newKey } from '../actions/request-memory.ts';
import { api } from '../api-client.ts';
import { liveTelling, onLiveEvent, onReachability } from '../live/live-events.ts';
import { workspaceHeader } from '../workspaces/tab-workspace.ts';

const nobody: readonly Viewer[] = [];
const tab = newKey();
const listeners = new Set<() => void>();
let viewers = new Map<string, readonly Viewer[]>();
let stopFollowing: (() => void) | undefined;
/** What this tab shows, by how many parts of the page. */
const shown = new Map<string, number>();
let timer: ReturnType<typeof setInterval> | undefined;
let typedAt = 0;

/** Calls back when somebody comes, goes or types; the first listener begins to follow it, the last ends that. */
export function onViewers(listener: () => void): () => void {
  listeners.add(listener);
  stopFollowing ??= follow();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopFollowing?.();
    stopFollowing = undefined;
  };
}

export function viewersOf(conversationId: string): readonly Viewer[] {
  return viewers.get(conversationId) ?? nobody;
}

/** Says that this tab shows the conversation, as long as somebody can see it; the answer ends it. */
export function view(conversationId: string): () => void {
  shown.set(conversationId, (shown.get(conversationId) ?? 0) + 1);
  if (!timer) {
    timer = setInterval(sayShown, VIEW_EVERY_MS);
    document.addEventListener('visibilitychange', sayShown);
    addEventListener('pagehide', sayGone);
  }
  if (shown.get(conversationId) === 1 && isSeen()) say(conversationId, 'viewing');
  return () => {
    const left = (shown.get(conversationId) ?? 1) - 1;
    if (left > 0) return void shown.set(conversationId, left);
    shown.delete(conversationId);
    typedAt = 0;
    say(conversationId, 'gone');
    if (shown.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', sayShown);
    removeEventListener('pagehide', sayGone);
  };
}

/** For each key stroke; it is said now and then. */
export function tellTyping(conversationId: string): void {
  if (!shown.has(conversationId) || Date.now() - typedAt < TYPE_EVERY_MS) return;
  typedAt = Date.now();
  say(conversationId, 'typing');
}

/** What was written was sent or thrown away. */
export function tellNoTyping(conversationId: string): void {
  if (typedAt === 0) return;
  typedAt = 0;
  if (shown.has(conversationId)) say(conversationId, 'viewing');
}

function follow(): () => void {
  let isOver = false;
  let wasConnected = false;
  const readAll = () =>
    api.conversations.listViewers({}).then(
      ({ items }) => {
        if (!isOver) change(new Map(items.map(({ conversationId, people }) => [conversationId, people])));
      },
      () => undefined, // Only a hint: without a connection nobody is shown, and its return reads anew.
    );
  const stopEvents = onLiveEvent(({ topic, payload }) => {
    if (topic === 'resync') void readAll();
    if (topic !== 'viewers') return;
    const { conversationId, people } = payload as { conversationId: string; people: Viewer[] }; // our own server's
    const next = new Map(viewers);
    if (people.length > 0) next.set(conversationId, people);
    else next.delete(conversationId);
    change(next);
  });
  // What happened while the stream was away is kept nowhere.
  const look = () => {
    const isConnected = liveTelling.isConnected();
    if (isConnected && !wasConnected) void readAll();
    if (!isConnected && wasConnected) change(new Map());
    wasConnected = isConnected;
  };
  const stopLooking = onReachability(look);
  look();
  return () => {
    isOver = true;
    stopEvents();
    stopLooking();
    change(new Map());
  };
}

function change(next: Map<string, readonly Viewer[]>): void {
  viewers = next;
  for (const listener of listeners) listener();
}

function isSeen(): boolean {
  return document.visibilityState === 'visible';
}

function sayShown(): void {
  const isTyping = Date.now() - typedAt < TYPE_EVERY_MS;
  for (const id of shown.keys()) say(id, !isSeen() ? 'gone' : isTyping ? 'typing' : 'viewing');
}

function sayGone(): void {
  for (const id of shown.keys()) say(id, 'gone');
}

/** By itself instead of through the client of the API: it must outlive the page, and nothing follows from its answer. */
function say(conversationId: string, state: ViewerState): void {
  void fetch(`/api/conversations/${conversationId}/viewers`, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', ...workspaceHeader() },
    body: JSON.stringify({ tab, state }),
  }).catch(() => undefined);
}
