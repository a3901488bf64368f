import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { MOST_NAMED } from '@app/domain/live/most-named';
import { useEffect, useRef } from 'react';
import { api } from '../../shared/api.ts';
import { onLiveEvent } from '../../shared/live/live-events.ts';
import { addArrived, isOnPage, type TimelineAnswer, type TimelineItem } from './timeline-window.ts';

type Brought = { ids: readonly string[]; items?: readonly TimelineItem[] | null };

/** Requests of a burst run side by side; what arrives meanwhile is read together by the next one. */
const MOST_AT_ONCE = 2;
/** Messages that the stream said it brings are asked for when they have not come by then. */
const BROUGHT_MS = 1_000;
/** Between two drawings of what arrives. */
const DRAWN_MS = 80;
/** A page that has grown to this is read again. */
const LONGEST_PAGE = 150;

/**
 * Adds messages that have just arrived to the newest page. The stream brings them to users who have the conversation open. Where it does not, an event names them, and only
 * these are read. The whole page is read again after events that name none, after missed events, and when a named message is not found (a reaction, an edit, or a message of another conversation).
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
    const coming = new Map<string, ReturnType<typeof setTimeout>>();
    let placing: ReturnType<typeof setTimeout> | undefined;
    let drawnAt = 0;
    let isIncomplete = false;
    let reading = 0;
    let isOver = false;
    const key = () => latest.current.queryKey;
    const readPage = () => void queryClient.invalidateQueries({ queryKey: key() });

    function place(ids: readonly string[], items: readonly TimelineItem[]): void {
      for (const item of items) held.current.set(item.id, item);
      isIncomplete ||= items.length < ids.length;
      placing ??= setTimeout(draw, Math.max(0, drawnAt + DRAWN_MS - Date.now()));
    }

    /** The first is drawn at once, and what comes soon after it together. */
    function draw(): void {
      placing = undefined;
      drawnAt = Date.now();
      const items = [...held.current.values()];
      const page = queryClient.setQueryData<TimelineAnswer>(key(), (now) => now && addArrived(now, items));
      if (!page || isIncomplete || page.items.length > LONGEST_PAGE) readPage();
      isIncomplete = false;
    }

    function ask(ids: readonly string[]): void {
      for (const id of ids) {
        clearTimeout(coming.get(id));
        coming.delete(id);
        waiting.add(id);
      }
      if (waiting.size > 0 && reading < MOST_AT_ONCE) void readWaiting();
    }

    /** Which ones come, then the messages themselves; null where they could not be read. */
    function takeBrought({ ids, items }: Brought): void {
      if (items === null) return ask(ids);
      for (const id of ids) {
        clearTimeout(coming.get(id));
        if (items) coming.delete(id);
        else
          coming.set(
            id,
            setTimeout(() => ask([id]), BROUGHT_MS),
          );
      }
      if (items) place(ids, items);
    }

    async function readWaiting(): Promise<void> {
      reading += 1;
      try {
        while (waiting.size > 0 && !isOver) {
          // One request reads as many as one event names.
          const ids = [...waiting].slice(0, MOST_NAMED);
          for (const id of ids) waiting.delete(id);
          const { items } = await api.conversations.listMessages({ conversationId, ids: ids.join(',') });
          place(ids, items);
        }
      } catch {
        readPage();
      } finally {
        reading -= 1;
      }
    }

    const end = onLiveEvent(({ topic, payload }) => {
      if (topic === 'arrived-messages' && payload['conversationId'] === conversationId)
        return takeBrought(payload as Brought); // our own server's
      if (topic !== 'resync' && !(topic === 'messages' && latest.current.isAbout(payload))) return;
      const ids = Array.isArray(payload['arrivedIds']) ? payload['arrivedIds'].map(String) : [];
      // As many as an event can name may be the last of more.
      if (ids.length === 0 || ids.length >= MOST_NAMED) return readPage();
      ask(ids.filter((id) => !coming.has(id)));
    });
    return () => {
      isOver = true;
      clearTimeout(placing);
      for (const timer of coming.values()) clearTimeout(timer);
      end();
    };
  }, [queryClient, conversationId]);

  return (page) => {
    for (const { id, at } of held.current.values())
      if (page.items.some((item) => item.id === id) || !isOnPage(page, at)) held.current.delete(id);
    return addArrived(page, [...held.current.values()]);
  };
}
