import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { isUnanswered, newKey, orpc, readFailure } from '../api.ts';
import { onReachability } from '../live/live-events.ts';
import { queryClient } from '../query-client.ts';
import { ownerHere, useSession, type Session } from '../session.ts';
import { listKeys } from '../conversations/conversation-keys.ts';
import { Outbox, type TabNews } from './outbox.ts';
import type { OutboxContent, OutboxItem } from './outbox-items.ts';
import { openOutboxStore } from './outbox-store.ts';
import { sendItem } from './send-item.ts';

export type ConversationOutbox = {
  /** What is not in the list of messages yet, oldest first; of what is `sent` whoever lists `messageId` already leaves it out. */
  items: readonly OutboxItem[];
  /** Keeps and sends it. Rejects with `OutboxFull` when the browser has no room for it. */
  add(content: OutboxContent, more?: { writingId?: string }): Promise<void>;
  retry(id: string): Promise<void>;
  /** False when it is being sent just now. */
  discard(id: string): Promise<boolean>;
};

let current: { owner: string; outbox: Outbox } | null = null;

/** The one way to say something in a conversation: it is shown at once, and sent when it can be. */
export function useOutbox(conversationId: string): ConversationOutbox {
  const outbox = findOutbox(useSession());
  const subscribe = useCallback((listener: () => void) => outbox?.subscribe(listener) ?? nothing, [outbox]);
  const items = useSyncExternalStore(subscribe, () => outbox?.itemsOf(conversationId) ?? none);
  return useMemo(
    () => ({
      items,
      add: (content, more) => outbox?.add(conversationId, content, more) ?? Promise.resolve(),
      retry: (id) => outbox?.retry(id) ?? Promise.resolve(),
      discard: (id) => outbox?.discard(id) ?? Promise.resolve(false),
    }),
    [items, outbox, conversationId],
  );
}

/** Sends what an earlier visit left behind, whatever page is shown. */
export function useWaitingMessages(): void {
  findOutbox(useSession());
}

/** Refusals of the moment: somebody signs in again, a line gets better. */
const mayPass: ReadonlySet<string> = new Set([
  'signed_out',
  'body_interrupted',
  'body_too_slow',
  'too_many_requests',
]);

const none: readonly OutboxItem[] = [];
const nothing = () => undefined;

function findOutbox(session: Session): Outbox | null {
  if (session.status !== 'signed-in') return null;
  const owner = ownerHere();
  current = current?.owner === owner ? current : { owner, outbox: openOutbox(owner) };
  return current.outbox;
}

function openOutbox(owner: string): Outbox {
  const outbox = new Outbox({
    ...{ owner, newKey, store: openOutboxStore(), whileAlone, tabs: joinTabs(), now: () => Date.now() },
    async send(item, report) {
      const messageId = await sendItem(item, report);
      void refresh(item.conversationId);
      return messageId;
    },
    readFailure(error) {
      const failure = readFailure(error);
      return { ...failure, isUnanswered: isUnanswered(error) || mayPass.has(failure.code) };
    },
  });
  addEventListener('online', () => outbox.wake());
  onReachability(() => outbox.wake());
  return outbox;
}

function refresh(conversationId: string): Promise<unknown> {
  const input = { conversationId };
  return Promise.all(
    [
      orpc.conversations.listMessages.key({ input }),
      orpc.conversations.get.key({ input }),
      orpc.conversations.listScheduled.key(),
      ...listKeys(),
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

/** Locks of the browser are there on https and localhost; without them each tab sends, and the key keeps it to one message. */
async function whileAlone(work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request('outbox', work);
}

function joinTabs() {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('outbox');
  return {
    tell: (news: TabNews) => channel?.postMessage(news),
    listen: (hear: (news: TabNews) => void) => {
      if (channel) channel.onmessage = ({ data }: MessageEvent<TabNews>) => hear(data);
    },
  };
}
