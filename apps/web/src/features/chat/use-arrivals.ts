import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../shared/api.ts';
import { onLiveEvent } from '../../shared/live/live-events.ts';
import { addArrived, isOnPage, type TimelineAnswer, type TimelineItem } from './timeline-window.ts';

/** An event names at most so many messages; the same number is read by one request. */
const MOST_IDS = 50;
/** Requests of a burst run side by side, and leave connections of the browser for the rest of the page. */
const MOST_AT_ONCE = 3;
/** A page that has grown to this is read again. */
const LONGEST_PAGE = 150;

/**
 * Adds messages that have just arrived to the newest page: an event names them, and only these are read. The whole page is read again after events that
 * name none, after missed events, and when a named message is not found (a reaction, an edit, or a message of another conversation).
 *
 * @param isAbout whether an event concerns this conversation
 * @returns adds what has arrived to a page that was read before it
 */
export function useArrivals(
  conversationId: string,
  queryKey: QueryKey,
  isAbout: (payload: Record<string, unknown>) => boolean,
): (page: TimelineAnswer) => TimelineAnswer {
  const queryClient = useQueryClient();
  const held = useRef(new Map<string, TimelineItem>());
  const latest = useRef({ queryKey, isAbout });
  useEffect(() => {
    latest.current = { queryKey, isAbout };
  });
  useEffect(() => {
    const waiting = new Set<string>();
    let reading = 0;
    let isOver = false;
    const key = () => latest.current.queryKey;
    const readPage = () => void queryClient.invalidateQueries({ queryKey: key() });

    async function readWaiting(): Promise<void> {
      reading += 1;
      try {
        while (waiting.size > 0 && !isOver) {
          const ids = [...waiting].slice(0, MOST_IDS);
          for (const id of ids) waiting.delete(id);
          const { items } = await api.conversations.listMessages({ conversationId, ids: ids.join(',') });
          for (const item of items) held.current.set(item.id, item);
          const page = queryClient.setQueryData<TimelineAnswer>(
            key(),
            (now) => now && addArrived(now, items),
          );
          if (!page || items.length < ids.length || page.items.length > LONGEST_PAGE) readPage();
        }
      } catch {
        readPage();
      } finally {
        reading -= 1;
      }
    }

    const end = onLiveEvent(({ topic, payload }) => {
      if (topic !== 'resync' && !(topic === 'messages' && latest.current.isAbout(payload))) return;
      const ids = Array.isArray(payload['arrivedIds']) ? payload['arrivedIds'].map(String) : [];
      // As many as an event can name may be the last of more.
      if (ids.length === 0 || ids.length >= MOST_IDS) return readPage();
      for (const id of ids) waiting.add(id);
      if (reading < MOST_AT_ONCE) void readWaiting();
    });
    return () => {
      isOver = true;
      end();
    };
  }, [queryClient, conversationId]);

  return (page) => {
    for (const { id, at } of held.current.values())
      if (page.items.some((item) => item.id === id) || !isOnPage(page, at)) held.current.delete(id);
    return addArrived(page, [...held.current.values()]);
  };
}
