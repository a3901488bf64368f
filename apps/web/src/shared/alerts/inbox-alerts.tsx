import { isWorthAlert, type Arrived } from '@app/domain/conversations/alert-rules';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api, orpc } from '../api.ts';
import { onLiveEvent } from '../live/live-events.ts';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';
import { useAlertSettings, type AlertSettings } from './alert-choice.ts';
import { playPing } from './play-ping.ts';

/** Many messages are one sound. */
const GATHER_MS = 300;
const PAUSE_MS = 3_000;
const LOOKED_AT = 5;

/** Says that a customer wrote, or that somebody was mentioned: in the title of the tab, by a sound, and by the browser where it may. */
export function InboxAlerts({ ownId }: { ownId: string }) {
  const settings = useAlertSettings();
  const navigate = useNavigate();
  const latest = useRef({ settings, navigate });
  useEffect(() => {
    latest.current = { settings, navigate };
  });
  const { data } = useQuery(orpc.conversations.count.queryOptions({ input: {}, staleTime: 60_000 }));
  useTitleCount(data?.mine ?? 0);

  useEffect(() => {
    let since = new Date().toISOString();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let alertedAt = 0;
    const open = (conversationId: string) => {
      window.focus();
      void latest.current.navigate({ to: paths.conversation(conversationId) });
    };
    const look = async () => {
      const { settings: wanted } = latest.current;
      if (wanted.sound === 'off' && !wanted.isDesktop) return;
      const [fresh, mentions] = await Promise.all([readFresh(since), readMentions(since)]);
      const times = [...fresh, ...mentions].map(({ at }) => at).toSorted();
      since = times.at(-1) ?? since;
      for (const news of [...fresh, ...mentions]) alertOf(news, wanted, ownId, open);
    };
    const end = onLiveEvent(({ topic, payload: { userIds } }) => {
      const isOwn = topic === 'notifications' && Array.isArray(userIds) && userIds.includes(ownId);
      if (topic !== 'messages' && !isOwn) return;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          alertedAt = Date.now();
          // The next event looks again.
          look().catch(() => undefined);
        },
        Math.max(GATHER_MS, alertedAt + PAUSE_MS - Date.now()),
      );
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [ownId]);
  return null;
}

type News = { at: string; conversationId: string; title: string; text: string; arrived: Arrived };

async function readFresh(since: string): Promise<News[]> {
  const { items } = await api.conversations.list({ unread: 'yes', archived: 'no', limit: LOOKED_AT });
  return items.flatMap(({ id, contact, lastMessage, isMuted, assignee }) =>
    lastMessage?.direction === 'in' && lastMessage.at > since
      ? {
          ...{ at: lastMessage.at, conversationId: id, title: contact.name, text: lastMessage.text },
          arrived: {
            ...{ kind: 'message' as const, isMuted, assigneeId: assignee?.id ?? null },
            isLookedAt: document.hasFocus() && location.pathname === paths.conversation(id),
          },
        }
      : [],
  );
}

async function readMentions(since: string): Promise<News[]> {
  const { items } = await api.notifications.list({ limit: LOOKED_AT });
  return items.flatMap(({ kind, subject, isRead, createdAt: at, values }) =>
    kind === 'conversation_mentioned' && !isRead && subject !== null && at > since
      ? {
          ...{
            at,
            conversationId: subject,
            title: String(values['by'] ?? ''),
            arrived: { kind: 'mention' as const },
          },
          text: t('alerts.mentioned'),
        }
      : [],
  );
}

function alertOf(
  { conversationId, title, text, arrived }: News,
  { sound, isDesktop }: AlertSettings,
  ownId: string,
  open: (conversationId: string) => void,
): void {
  const isHeard = isWorthAlert(sound, arrived, ownId);
  const isShown =
    isDesktop && !document.hasFocus() && isWorthAlert(sound === 'off' ? 'mine' : sound, arrived, ownId);
  if (!isHeard && !isShown) return;
  // Of the tabs of a browser one speaks.
  const speak = () => {
    if (isHeard) playPing();
    if (!isShown || !('Notification' in window) || Notification.permission !== 'granted') return;
    const shown = new Notification(title, { body: text, tag: conversationId });
    shown.onclick = () => open(conversationId);
  };
  if (!('locks' in navigator)) return speak();
  void navigator.locks.request('inbox-alert', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    speak();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS / 2));
  });
}

const COUNT = /^\(\d+\+?\) /;

/** Keeps `(3) ` before the title of the inbox, whoever sets that. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const keep = () => {
      const bare = document.title.replace(COUNT, '');
      const isInbox = location.pathname.startsWith(paths.inbox);
      const wanted = isInbox && count > 0 ? `(${count > 99 ? '99+' : count}) ${bare}` : bare;
      if (document.title !== wanted) document.title = wanted;
    };
    keep();
    const title = document.querySelector('title');
    if (!title) return undefined;
    const watch = new MutationObserver(keep);
    watch.observe(title, { childList: true });
    return () => watch.disconnect();
  }, [count]);
}
