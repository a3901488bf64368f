import { ArrowDown, MessageSquareText } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatCapped, formatDay } from '../../shared/formats.ts';
import { readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useOutbox } from '../../shared/outbox/use-outbox.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { ChatSkeleton } from './chat-skeleton.tsx';
import { dayLabel, dayOf } from '../../shared/conversations/day-label.ts';
import { copyMessages } from './copy-messages.ts';
import { useInSlices } from './scrolling/in-slices.ts';
import { useMessageActions } from './message-actions.tsx';
import { MessageRow } from './message-row.tsx';
import { Announcer, useNewBelow } from './new-messages.tsx';
import { NoteRow } from './notes/note-row.tsx';
import { DayRow, HappenedRow, UnreadRow } from './other-rows.tsx';
import { PendingRows } from './pending-rows.tsx';
import { rowsOf } from './timeline-rows.ts';
import type { Message, TimelineItem } from './timeline-window.ts';
import { useAnchoredScroll } from './scrolling/use-anchored-scroll.ts';
import { useMarkRead } from './use-mark-read.ts';
import { useNativeEvent } from './use-native-event.ts';
import { useRefreshShown, useTimeline, type Timeline } from './use-timeline.ts';

/** More unread than this are begun to read at the first of them. */
const MOST_BELOW = 40;
const HIGHLIGHT_MS = 2_500;

type Jump = { id: string; count: number };
type Props = {
  conversation: Conversation;
  /** Where to go, and a number that grows when it is asked for again. */
  jump: Jump | null;
  find: string | undefined;
  onDetails: (message: Message) => void;
};

/** The chat itself: a window into a history of any length. */
export function MessageList(props: Props) {
  const { conversation, jump } = props;
  const [begin] = useState<'newest' | 'unread'>(() =>
    conversation.unread > MOST_BELOW && !jump ? 'unread' : 'newest',
  );
  const atEnd = useRef<() => boolean>(() => true);
  const timeline = useTimeline(
    conversation.id,
    begin,
    useCallback(() => atEnd.current(), []),
  );
  if (timeline.items !== null)
    return <Log {...props} timeline={timeline} items={timeline.items} atEnd={atEnd} />;
  return timeline.error ? (
    <ErrorState className="flex-1" text={errorMessage(timeline.error)} onRetry={timeline.retry} />
  ) : (
    <ChatSkeleton />
  );
}

function Log({
  conversation,
  jump,
  find,
  onDetails,
  timeline,
  items: read,
  atEnd,
}: Props & { timeline: Timeline; items: readonly TimelineItem[]; atEnd: RefObject<() => boolean> }) {
  const { id: conversationId, contact } = conversation;
  const { isNewest, loadOlder, loadNewer, jumpTo, showNewest } = timeline;
  const { shown: items, isWhole } = useInSlices(read);
  const scroll = useAnchoredScroll({
    // More is read when all that was read is there.
    onNearStart: () => isWhole && loadOlder(),
    onNearEnd: () => isWhole && loadNewer(),
  });
  const { showItem, showEnd, isNearEnd } = scroll;
  useEffect(() => {
    atEnd.current = isNearEnd;
  }, [atEnd, isNearEnd]);
  useRefreshShown(conversationId, timeline, scroll.middleItem);
  const outbox = useOutbox(conversationId);
  const acts = useMessageActions(conversationId);
  const watchUnread = useMarkRead(conversationId, scroll.scroller);

  // Where the unread began when somebody came here stays marked until they leave.
  const [firstUnread] = useState(
    () => items.find((item) => item.kind === 'message' && item.isUnread)?.id ?? null,
  );

  const [target, setTarget] = useState<{ id: string; isFound: boolean } | null>(null);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const goTo = useCallback(
    (id: string) => {
      setTarget({ id, isFound: false });
      jumpTo(id).catch((error: unknown) => {
        setTarget(null);
        notify.error(readFailure(error).code === 'message_not_found' ? t('chat.gone') : errorMessage(error));
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
    if (isBegun.current) return;
    isBegun.current = true;
    const view = scroll.scroller.current;
    if (firstUnread === null || jump || !view) return;
    const mark = scroll.list.current?.querySelector<HTMLElement>('[data-item="unread"]');
    if (mark && view.scrollHeight - mark.offsetTop > view.clientHeight) showItem('unread');
  }, [firstUnread, jump, scroll.list, scroll.scroller, showItem]);

  const rows = useMemo(() => rowsOf(items, { firstUnread, dayOf }), [items, firstUnread]);
  const known = useMemo(
    () => new Set([...items, ...(timeline.newest?.items ?? [])].flatMap(namesOf)),
    [items, timeline.newest],
  );
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

  useNativeEvent(scroll.scroller, 'keydown', (event) => {
    const list = scroll.list.current;
    if (!list || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'End' && event.target === scroll.scroller.current) {
      event.preventDefault();
      toEnd();
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const messages = [...list.querySelectorAll<HTMLElement>('[data-message]')];
    const current = messages.findIndex((message) => message === document.activeElement);
    const next = current === -1 ? messages.at(-1) : messages[current + (event.key === 'ArrowUp' ? -1 : 1)];
    if (!next || (current === -1 && event.target !== scroll.scroller.current)) return;
    event.preventDefault();
    next.focus();
  });
  useNativeEvent(scroll.scroller, 'copy', (event) => copyMessages(event, items, contact.name));
  function toEnd() {
    if (!isNewest) showNewest();
    showEnd();
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroll.scroller}
        onScroll={scroll.onScroll}
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
          {conversation.keptSince !== null && !timeline.hasOlder ? (
            <p className="px-4 py-2 text-center text-sm text-muted">
              {t('chat.keptSince', { day: formatDay(conversation.keptSince.slice(0, 10)) })}
            </p>
          ) : null}
          {rows.length === 0 && pendingCount === 0 ? (
            <EmptyState
              icon={<MessageSquareText />}
              title={t('chat.empty')}
              text={t('chat.emptyText')}
              className="my-auto"
            />
          ) : null}
          {rows.map((row) => {
            if (row.kind === 'day') return <DayRow key={row.id} label={dayLabel(row.at)} />;
            if (row.kind === 'unread') return <UnreadRow key={row.id} />;
            const { item } = row;
            if (item.kind === 'note') return <NoteRow key={row.id} note={item} />;
            if (item.kind !== 'message')
              return <HappenedRow key={row.id} item={item} contactName={contact.name} />;
            return (
              <div
                key={row.id}
                // What moves rows neither lays them out nor looks through them again.
                className="contain-layout contain-style"
                ref={item.isUnread ? watchUnread : undefined}
                data-unread={item.isUnread ? item.id : undefined}
              >
                <MessageRow
                  message={item}
                  conversationId={conversationId}
                  contactName={contact.name}
                  isFollowing={row.isFollowing}
                  isFollowed={row.isFollowed}
                  isHighlighted={highlighted === row.id}
                  find={find}
                  acts={acts}
                  onJump={onJump}
                  onDetails={onDetails}
                />
              </div>
            );
          })}
          {isNewest ? <PendingRows outbox={outbox} known={known} /> : null}
        </div>
      </div>
      {scroll.isAtEnd && isNewest ? null : (
        <div className="absolute end-4 bottom-3 layer-sticky">
          <Button className="rounded-full shadow-raised" icon={<ArrowDown aria-hidden />} onClick={toEnd}>
            {below > 0
              ? t('chat.newBelow', { n: below, count: formatCapped(below, 99) })
              : t('chat.toNewest')}
          </Button>
        </div>
      )}
      <Announcer messages={timeline.newest?.items} contactName={contact.name} />
    </div>
  );
}

function namesOf(item: TimelineItem): string[] {
  return item.kind === 'message' && item.clientId !== null ? [item.id, item.clientId] : [item.id];
}
