import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, useTransition } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { onLiveEvent } from '../../shared/live/live-events.ts';
import {
  addNewer,
  addOlder,
  itemsOf,
  openWindow,
  PAGE_SIZE,
  refreshItems,
  takeNewest,
  type TimelineAnswer,
  type TimelineWindow,
} from './timeline-window.ts';
import { useArrivals } from './use-arrivals.ts';

/** The newest messages: what a chat shows first, also when one comes back to it. */
export function newestOptions(conversationId: string) {
  return orpc.conversations.listMessages.queryOptions({ input: { conversationId, limit: PAGE_SIZE } });
}

export type Timeline = ReturnType<typeof useTimeline>;

/**
 * What was said in a conversation, as far as it is on the page. Messages that arrive are added to the newest page (`useArrivals`), which is read again after
 * other events. Where it does not reach down to what is shown, the window goes on by its cursor, or begins anew for whoever is at its end.
 */
export function useTimeline(conversationId: string, begin: 'newest' | 'unread', isAtEnd: () => boolean) {
  const options = newestOptions(conversationId);
  const newest = useQuery({ ...options, staleTime: 0 });
  const withArrived = useArrivals(conversationId, options.queryKey, (payload) =>
    isAbout(payload, conversationId),
  );
  const [window, setWindow] = useState<TimelineWindow | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const busy = useRef<'older' | 'newer' | 'jump' | null>(null);
  const latest = useRef(window);
  latest.current = window;
  const [isPlacing, startPlacing] = useTransition();
  const placing = useRef(isPlacing);
  useEffect(() => {
    placing.current = isPlacing;
  });

  const read = useCallback(
    async (
      kind: 'older' | 'newer' | 'jump',
      input: { cursor?: string; direction?: 'older' | 'newer'; around?: string },
      take: (before: TimelineWindow | null, answer: TimelineAnswer) => TimelineWindow | null,
    ): Promise<boolean> => {
      if ((busy.current !== null || placing.current) && kind !== 'jump') return false;
      busy.current = kind;
      const before = latest.current;
      try {
        const answer = await api.conversations.listMessages({ conversationId, limit: PAGE_SIZE, ...input });
        // Somebody jumped elsewhere meanwhile.
        if (busy.current !== kind) return false;
        const place = () =>
          setWindow((now) =>
            kind === 'jump' || now?.pages === before?.pages || now ? take(now, answer) : now,
          );
        // Nobody waits for what is beyond the edge: it is drawn in pieces, and scrolling goes on between them.
        if (kind === 'jump') place();
        else startPlacing(place);
        setFailed(null);
        return true;
      } catch (error) {
        if (kind !== 'jump') setFailed(error);
        else throw error;
        return false;
      } finally {
        if (busy.current === kind) busy.current = null;
      }
    },
    [conversationId],
  );

  const loadOlder = useCallback(() => {
    const cursor = latest.current?.pages[0]?.older;
    if (cursor) void read('older', { cursor }, (now, answer) => now && addOlder(now, answer));
  }, [read]);
  const loadNewer = useCallback(() => {
    const cursor = latest.current?.pages.at(-1)?.newer;
    if (cursor && latest.current?.isNewest === false)
      void read('newer', { cursor, direction: 'newer' }, (now, answer) => now && addNewer(now, answer));
  }, [read]);
  const jumpTo = useCallback(
    (around: string) => read('jump', { around }, (_, answer) => openWindow(answer)),
    [read],
  );
  const showNewest = useCallback(() => {
    busy.current = null;
    if (newest.data) setWindow(openWindow(newest.data));
    else void newest.refetch();
  }, [newest]);

  const { data } = newest;
  // Before it is painted: what arrived stands in the frame of its reading, and not in a later one.
  useLayoutEffect(() => {
    if (!data) return;
    const page = withArrived(data);
    if (begin === 'unread' && latest.current === null) {
      void jumpTo('unread').catch(() => setWindow((now) => now ?? openWindow(page)));
      return;
    }
    setWindow((now) => {
      if (now === null) return openWindow(page);
      if (!now.isNewest) return now;
      return (
        takeNewest(now, page, { isAtEnd: isAtEnd() }) ??
        (isAtEnd() ? openWindow(page) : { ...now, isNewest: false })
      );
    });
    // oxlint-disable-next-line react/exhaustive-deps -- where it begins is decided once
  }, [data, jumpTo]);

  /** How far older messages came is read around what is on the screen. */
  const refresh = useCallback(
    async (around: string) => {
      const answer = await api.conversations.listMessages({ conversationId, limit: PAGE_SIZE, around });
      setWindow((now) => now && refreshItems(now, answer));
    },
    [conversationId],
  );

  return {
    items: window ? itemsOf(window) : null,
    newest: data,
    isNewest: window?.isNewest ?? true,
    hasOlder: window?.pages[0]?.older !== null && window !== null,
    error: window === null ? newest.error : null,
    pageError: failed,
    retry: () => void newest.refetch(),
    ...{ loadOlder, loadNewer, jumpTo, showNewest, refresh },
  };
}

/** Reads again around what is shown, after events; the newest page is read anyway. */
export function useRefreshShown(
  conversationId: string,
  { refresh, newest, items }: Timeline,
  middle: () => string | null,
): void {
  const state = useRef({ refresh, newest, items, middle });
  useEffect(() => {
    state.current = { refresh, newest, items, middle };
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onLiveEvent(({ topic, payload }) => {
      if (topic !== 'resync' && !(topic === 'messages' && isAbout(payload, conversationId))) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        const id = state.current.middle();
        // The mark of the unread, and what waits in the outbox, stand between messages; the server knows neither.
        const placed = state.current.items?.filter(({ kind }) => kind === 'message' || kind === 'note');
        const around = placed?.find((item) => item.id === id) ?? placed?.at(-1);
        if (!around || state.current.newest?.items.some((item) => item.id === around.id)) return;
        // The next event tries again.
        state.current.refresh(around.id).catch(() => undefined);
      }, REFRESH_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [conversationId]);
}

const REFRESH_MS = 1_500;

function isAbout({ conversationIds }: Record<string, unknown>, conversationId: string): boolean {
  return (
    !Array.isArray(conversationIds) ||
    conversationIds.length === 0 ||
    conversationIds.includes(conversationId)
  );
}
