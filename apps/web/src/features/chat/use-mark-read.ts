import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, type RefObject } from 'react';
import { api } from '../../shared/api.ts';
import { noteConversation } from '../../shared/conversations/conversations-queries.ts';
import { can } from '../../shared/session.ts';

const GATHER_MS = 400;
const MOST = 200;
const AGAIN_MS = 5_000;

/**
 * Marks as read what somebody has really seen: it was in view, in a window that has the focus. What fails is tried
 * again.
 */
export function useMarkRead(conversationId: string, scroller: RefObject<HTMLElement | null>) {
  const queryClient = useQueryClient();
  const seen = useRef(new Set<string>());
  const done = useRef(new Set<string>());
  const inView = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const again = useRef<ReturnType<typeof setTimeout>>(undefined);
  const takeAgain = useRef(() => {});
  const mayMark = can('messages:update');

  const send = useCallback(
    function send() {
      timer.current = undefined;
      const messageIds = [...seen.current].slice(0, MOST);
      if (messageIds.length === 0) return;
      for (const id of messageIds) {
        seen.current.delete(id);
        done.current.add(id);
      }
      api.conversations.markRead({ conversationId, messageIds }).then(
        (changed) => void noteConversation(queryClient, changed),
        () => {
          for (const id of messageIds) done.current.delete(id);
          again.current = setTimeout(() => takeAgain.current(), AGAIN_MS);
        },
      );
      if (seen.current.size > 0) timer.current = setTimeout(send, GATHER_MS);
    },
    [conversationId, queryClient],
  );

  const take = useCallback(() => {
    if (!document.hasFocus() || document.visibilityState !== 'visible') return;
    for (const id of inView.current) if (!done.current.has(id)) seen.current.add(id);
    if (seen.current.size > 0) timer.current ??= setTimeout(send, GATHER_MS);
  }, [send]);

  useEffect(() => {
    takeAgain.current = take;
  }, [take]);

  const observer = useRef<IntersectionObserver | null>(null);
  useEffect(() => {
    if (!mayMark) return undefined;
    const watching = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = (target as HTMLElement).dataset.unread ?? '';
          if (isIntersecting) inView.current.add(id);
          else inView.current.delete(id);
        }
        take();
      },
      { root: scroller.current, threshold: 0.01 },
    );
    observer.current = watching;
    for (const row of scroller.current?.querySelectorAll<HTMLElement>('[data-unread]') ?? [])
      watching.observe(row);
    addEventListener('focus', take);
    document.addEventListener('visibilitychange', take);
    return () => {
      watching.disconnect();
      observer.current = null;
      removeEventListener('focus', take);
      document.removeEventListener('visibilitychange', take);
      clearTimeout(again.current);
      if (timer.current !== undefined) {
        clearTimeout(timer.current);
        send();
      }
    };
  }, [mayMark, scroller, send, take]);

  /** A row of an unread message; React calls it with null when it goes. */
  return useCallback((row: HTMLElement | null) => {
    if (!row) return undefined;
    observer.current?.observe(row);
    return () => {
      observer.current?.unobserve(row);
      inView.current.delete(row.dataset.unread ?? '');
    };
  }, []);
}
