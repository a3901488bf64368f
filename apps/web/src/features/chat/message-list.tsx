import { useQuery } from '@tanstack/react-query';
import { ArrowDown, MessageSquareText } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { conversationOptions, type Conversation } from '../../shared/conversations/conversations-queries.ts';
import { lineText } from '../../shared/conversations/message-line.tsx';
import { failureText } from '../../shared/failure-text.ts';
import { formatCapped } from '../../shared/formats.ts';
import { readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useOutbox } from '../../shared/outbox/use-outbox.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { ChatSkeleton } from './chat-skeleton.tsx';
import { dayLabel, dayOf } from './day-label.ts';
import { useMessageActs } from './message-acts.tsx';
import { MessageRow } from './message-row.tsx';
import { DayRow, NoteRow, NumberRow, UnreadRow } from './other-rows.tsx';
import { PendingRows } from './pending-rows.tsx';
import { rowsOf } from './timeline-rows.ts';
import type { Message } from './timeline-window.ts';
import { useAnchoredScroll } from './use-anchored-scroll.ts';
import { useMarkRead } from './use-mark-read.ts';
import { useRefreshShown, useTimeline } from './use-timeline.ts';

/** More unread than this are begun to read at the first of them. */
const MOST_BELOW = 40;
const HIGHLIGHT_MS = 2_500;

/** The chat itself: a window into a history of any length. */
export function MessageList({
  conversation,
  jump,
  find,
  onDetails,
}: {
  conversation: Conversation;
  /** Where to go, and a number that grows when it is asked for again. */
  jump: { id: string; count: number } | null;
  find: string | undefined;
  onDetails: (message: Message) => void;
}) {
  const { id: conversationId, contact } = conversation;
  const [begin] = useState(() => ({ unread: conversation.unread }));
  const atEnd = useRef(() => true);
  const timeline = useTimeline(
    conversationId,
    begin.unread > MOST_BELOW && !jump ? 'unread' : 'newest',
    useCallback(() => atEnd.current(), []),
  );
  const { items, isNewest, loadOlder, loadNewer, jumpTo, showNewest } = timeline;
  const scroll = useAnchoredScroll({ onNearStart: loadOlder, onNearEnd: loadNewer });
  const { showItem, showEnd, isNearEnd } = scroll;
  useEffect(() => {
    atEnd.current = isNearEnd;
  }, [isNearEnd]);
  useRefreshShown(conversationId, timeline, scroll.middleItem);
  const outbox = useOutbox(conversationId);
  const acts = useMessageActs(conversationId);
  const watchUnread = useMarkRead(conversationId, scroll.scroller);

  // Where the unread began when somebody came here stays marked until they leave.
  const [firstUnread, setFirstUnread] = useState<string | null | undefined>(undefined);
  if (items !== null && firstUnread === undefined)
    setFirstUnread(items.find((item) => item.kind === 'message' && item.isUnread)?.id ?? null);

  const [target, setTarget] = useState<{ id: string; isFound: boolean } | null>(null);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const goTo = useCallback(
    (id: string) => {
      setTarget({ id, isFound: false });
      jumpTo(id).catch((error: unknown) => {
        setTarget(null);
        notify.error(readFailure(error).code === 'message_not_found' ? t('chat.gone') : failureText(error));
      });
    },
    [jumpTo],
  );
  const onJump = useCallback(
    (id: string) => {
      if (!showItem(id)) return goTo(id);
      setHighlighted(id);
    },
    [goTo, showItem],
  );
  useEffect(() => {
    if (jump) onJump(jump.id);
    // oxlint-disable-next-line react/exhaustive-deps -- each asking once
  }, [jump?.id, jump?.count]);
  useLayoutEffect(() => {
    if (target && showItem(target.id)) {
      setTarget(null);
      setHighlighted(target.id);
    }
  }, [target, items, showItem]);
  useEffect(() => {
    if (highlighted === null) return undefined;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);
  // Whoever comes to unread messages begins where they begin, if they do not all fit.
  const isBegun = useRef(false);
  useLayoutEffect(() => {
    if (isBegun.current || items === null || firstUnread === undefined) return;
    isBegun.current = true;
    const view = scroll.scroller.current;
    if (firstUnread === null || jump || !view) return;
    const mark = scroll.list.current?.querySelector<HTMLElement>('[data-item="unread"]');
    if (mark && view.scrollHeight - mark.offsetTop > view.clientHeight) showItem('unread');
  }, [items, firstUnread, jump, scroll.list, scroll.scroller, showItem]);

  const rows = useMemo(
    () =>
      rowsOf(items ?? [], {
        firstUnread: firstUnread ?? null,
        dayOf,
      }),
    [items, firstUnread],
  );
  const known = useMemo(() => new Set([...(items ?? []), ...(timeline.newest?.items ?? [])].map(({ id }) => id)), [items, timeline.newest]);
  const below = useNewBelow(conversationId, scroll.isAtEnd && isNewest);

  const pendingCount = outbox.items.length;
  const [knownPending, setKnownPending] = useState(pendingCount);
  useLayoutEffect(() => {
    // Whoever says something sees it.
    if (pendingCount > knownPending) {
      if (!isNewest) showNewest();
      showEnd();
    }
    if (pendingCount !== knownPending) setKnownPending(pendingCount);
  }, [pendingCount, knownPending, isNewest, showNewest, showEnd]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const list = scroll.list.current;
    if (!list || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'End' && event.target === event.currentTarget) {
      event.preventDefault();
      toEnd();
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const messages = [...list.querySelectorAll<HTMLElement>('[data-message]')];
    const current = messages.findIndex((message) => message === document.activeElement);
    const next =
      current === -1 ? messages.at(-1) : messages[current + (event.key === 'ArrowUp' ? -1 : 1)];
    if (!next || (current === -1 && event.target !== event.currentTarget)) return;
    event.preventDefault();
    next.focus();
  }
  function toEnd() {
    if (!isNewest) showNewest();
    showEnd();
  }

  if (items === null)
    return timeline.error ? (
      <ErrorState className="flex-1" text={failureText(timeline.error)} onRetry={timeline.retry} />
    ) : (
      <ChatSkeleton />
    );
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroll.scroller}
        onScroll={scroll.onScroll}
        onKeyDown={onKeyDown}
        role="log"
        aria-live="off"
        aria-label={t('chat.log', { name: contact.name })}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain bg-chat outline-none [overflow-anchor:none] focus-visible:outline-2 focus-visible:-outline-offset-2"
      >
        <div ref={scroll.list} className="flex min-h-full flex-col justify-end pt-2 pb-3">
          {timeline.pageError ? (
            <p className="flex justify-center py-2">
              <Button size="small" onClick={loadOlder}>
                {t('chat.loadOlder')}
              </Button>
            </p>
          ) : null}
          {rows.length === 0 && pendingCount === 0 ? (
            <EmptyState icon={<MessageSquareText />} title={t('chat.empty')} text={t('chat.emptyText')} className="my-auto" />
          ) : null}
          {rows.map((row) => {
            if (row.kind === 'day') return <DayRow key={row.id} label={dayLabel(row.at)} />;
            if (row.kind === 'unread') return <UnreadRow key={row.id} />;
            const { item } = row;
            if (item.kind === 'note') return <NoteRow key={row.id} note={item} />;
            if (item.kind === 'number_changed') return <NumberRow key={row.id} item={item} contactName={contact.name} />;
            const bubble = (
              <MessageRow
                key={row.id}
                message={item}
                conversationId={conversationId}
                contactName={contact.name}
                isFollowing={row.isFollowing}
                isHighlighted={highlighted === row.id}
                find={find}
                acts={acts}
                onJump={onJump}
                onDetails={onDetails}
              />
            );
            return item.isUnread ? (
              <div key={row.id} ref={watchUnread} data-unread={item.id}>
                {bubble}
              </div>
            ) : (
              bubble
            );
          })}
          {isNewest ? <PendingRows outbox={outbox} known={known} /> : null}
        </div>
      </div>
      {scroll.isAtEnd && isNewest ? null : (
        <Button className="absolute end-4 bottom-3 layer-sticky rounded-full shadow-raised" icon={<ArrowDown aria-hidden />} onClick={toEnd}>
          {below > 0 ? t('chat.newBelow', { n: below, count: formatCapped(below, 99) }) : t('chat.toNewest')}
        </Button>
      )}
      <Announcer messages={timeline.newest?.items} contactName={contact.name} />
    </div>
  );
}

/** How many of the contact's messages came while somebody was further up: as many more as there are unread now. */
function useNewBelow(conversationId: string, isAtEnd: boolean): number {
  const { data } = useQuery(conversationOptions(conversationId));
  const unread = data?.unread ?? 0;
  const [left, setLeft] = useState(unread);
  if (isAtEnd && left !== unread) setLeft(unread);
  if (!isAtEnd && unread < left) setLeft(unread);
  return isAtEnd ? 0 : unread - left;
}

/** Says new messages to whoever hears the page, the last few at most, without taking them from what they do. */
function Announcer({ messages, contactName }: { messages: readonly { kind: string; id: string; at: string }[] | undefined; contactName: string }) {
  const [text, setText] = useState('');
  const heard = useRef<string | null>(null);
  useEffect(() => {
    const said = (messages ?? []).filter((one): one is Message => one.kind === 'message' && (one as Message).direction === 'in');
    const [newest] = said;
    if (!messages) return;
    const before = heard.current;
    heard.current = newest?.at ?? '';
    if (before === null || !newest || newest.at <= before) return;
    const fresh = said.filter(({ at }) => at > before);
    setText(
      fresh.length > 3
        ? t('chat.announceMany', { n: fresh.length, name: contactName })
        : fresh.toReversed().map((one) => `${contactName}: ${lineText(one)}`).join('\n'),
    );
  }, [messages, contactName]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
