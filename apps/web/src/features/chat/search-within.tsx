import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Images, X } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { orpc } from '../../shared/api.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDate, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';

/** Finds words in this conversation, from the newest back, and goes from one to the next. */
export function SearchWithin({
  conversation,
  onFind,
  onJump,
  onGallery,
  onClose,
}: {
  conversation: Conversation;
  onFind: (text: string) => void;
  onJump: (messageId: string) => void;
  onGallery: () => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), 250);
  const [place, setPlace] = useState(0);
  const found = useInfiniteQuery({
    ...orpc.conversations.searchMessages.infiniteOptions({
      input: (cursor: string | undefined) => ({
        conversationId: conversation.id,
        search: search || '-',
        limit: 50,
        ...(cursor && { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
    enabled: search !== '',
  });
  const items = search === '' ? [] : (found.data?.pages.flatMap((page) => page.items) ?? []);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = found;
  const mayReadOn = hasNextPage && !isFetching && !isFetchNextPageError;
  // A stretch without a hit is nothing to show: it looks further back by itself.
  const looksOn = search !== '' && mayReadOn && items.length <= place;
  useEffect(() => {
    if (looksOn) void fetchNextPage();
  }, [looksOn, fetchNextPage]);
  useEffect(() => {
    onFind(search);
    setPlace(0);
    // oxlint-disable-next-line react/exhaustive-deps -- of what is typed alone
  }, [search]);
  const current = items[place];
  useEffect(() => {
    if (current) onJump(current.id);
    // oxlint-disable-next-line react/exhaustive-deps -- of what is found alone
  }, [current?.id]);

  const isLast = place >= items.length - 1 && !hasNextPage;
  const older = () => setPlace((now) => Math.min(now + 1, items.length));
  const newer = () => setPlace((now) => Math.max(0, now - 1));
  function onKeyDown(event: KeyboardEvent) {
    const act = { Escape: onClose, Enter: event.shiftKey ? newer : older }[event.key];
    if (!act || (act === older && isLast)) return;
    event.preventDefault();
    act();
  }
  const until = found.data?.pages.at(-1)?.until;
  const state = found.isError
    ? errorMessage(found.error)
    : search === ''
      ? ''
      : items.length > 0
        ? t('chat.search.place', {
            place: formatNumber(Math.min(place + 1, items.length)),
            count: `${formatNumber(items.length)}${hasNextPage ? '+' : ''}`,
          })
        : isFetching || hasNextPage
          ? until
            ? t('chat.search.until', { day: formatDate(until) })
            : t('common.loading')
          : t('chat.search.none');
  return (
    <div
      role="search"
      className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-border bg-raised px-3 py-2"
    >
      <Input
        autoFocus
        type="search"
        className="min-w-0 flex-1 basis-40"
        aria-label={t('chat.search')}
        placeholder={t('chat.search')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className="text-sm text-muted tabular-nums">
        {state}
      </span>
      <IconButton label={t('chat.search.older')} disabled={items.length === 0 || isLast} onClick={older}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label={t('chat.search.newer')} disabled={place === 0} onClick={newer}>
        <ChevronDown aria-hidden />
      </IconButton>
      <Button icon={<Images aria-hidden />} iconOnSmall onClick={onGallery}>
        {t('chat.gallery')}
      </Button>
      <IconButton label={t('common.close')} onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
