import { isWorthAlert, type Arrived } from '@app/domain/conversations/alert-rules';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api, orpc } from '../api.ts';
import { sayLine } from '../conversations/line-words.ts';
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
    let arrived = new Set<string>();
    let isMentioned = false;
    const mentionsSince = followMentions();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let alertedAt = 0;
    const open = (conversationId: string) => {
      window.focus();
      void latest.current.navigate({ to: paths.conversation(conversationId) });
    };
    const look = async () => {
      const { settings: wanted } = latest.current;
      const [ids, wasMentioned] = [arrived, isMentioned];
      [arrived, isMentioned] = [new Set(), false];
      const mentions = wasMentioned ? await mentionsSince() : [];
      if (wanted.sound === 'off' && !wanted.isDesktop) return;
      const fresh = ids.size > 0 ? await readFresh(ids) : [];
      for (const news of [...fresh, ...mentions]) alertOf(news, wanted, ownId, open);
    };
    const end = onLiveEvent(({ topic, payload: { userIds, arrivedIds } }) => {
      const isOwn = topic === 'notifications' && Array.isArray(userIds) && userIds.includes(ownId);
      const isNews = topic === 'messages' && Array.isArray(arrivedIds);
      if (!isNews && !isOwn) return;
      if (isNews) for (const id of arrivedIds) arrived.add(String(id));
      isMentioned ||= isOwn;
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

type News = { conversationId: string; title: string; text: string; arrived: Arrived };

/** Of the conversations whose last message is one of these. */
async function readFresh(arrived: ReadonlySet<string>): Promise<News[]> {
  const { items } = await api.conversations.list({ unread: 'yes', archived: 'no', limit: LOOKED_AT });
  return items.flatMap(({ id, contact, lastMessage, isMuted, assignee }) =>
    lastMessage?.direction === 'in' && arrived.has(lastMessage.id)
      ? {
          ...{ conversationId: id, title: contact.name, text: sayLine(lastMessage.line) },
          arrived: {
            ...{ kind: 'message' as const, isMuted, assigneeId: assignee?.id ?? null },
            isLookedAt: document.hasFocus() && location.pathname === paths.conversation(id),
          },
        }
      : [],
  );
}

/** The answer reads those that came since it was last asked, by the times of the server: the clock of this machine may go wrong. */
function followMentions(): () => Promise<News[]> {
  const read = async () => (await api.notifications.list({ limit: LOOKED_AT })).items;
  type Items = Awaited<ReturnType<typeof read>>;
  let until: string | undefined;
  const note = (items: Items) => (until = items[0]?.createdAt ?? until ?? '');
  const begun = read().then(note, () => undefined);
  return async () => {
    await begun;
    const [items, since] = [await read(), until];
    note(items);
    return items.flatMap(({ kind, subject, isRead, createdAt, values }) =>
      kind === 'conversation_mentioned' &&
      !isRead &&
      subject !== null &&
      since !== undefined &&
      createdAt > since
        ? {
            ...{ conversationId: subject, title: String(values['by'] ?? '') },
            ...{ text: t('alerts.mentioned'), arrived: { kind: 'mention' as const } },
          }
        : [],
    );
  };
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
