import { useNavigate } from '@tanstack/react-router';
import { Inbox, MessageSquarePlus, Settings } from 'lucide-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { conversationsOptions, type Conversation } from '../../shared/conversations/conversations-queries.ts';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { holdsText } from '../../shared/offline/kept-rows.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Arrivals } from './arrivals.tsx';
import { ConversationRows } from './conversation-rows.tsx';
import { ListFilters } from './list-filters.tsx';
import { filterNames, readInboxSearch, withoutFilters } from './inbox-search.ts';
import { SearchResults, SHORTEST_SEARCH } from './search-results.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';

const BulkBar = lazyPart(async () => (await import('./bulk-bar.tsx')).BulkBar);

/** Without a connection: names and numbers of what is on this device. */
function findKept(kept: readonly Conversation[], { search }: { search: string }): readonly Conversation[] {
  return kept.filter(({ contact }) => holdsText([contact.name, contact.phone], search));
}

/** The conversations of a tab and its filters, or what is found of them. */
export function ConversationList({ openId }: { openId: string | undefined }) {
  const list = useListPage({
    read: readInboxSearch,
    filters: filterNames,
    options: conversationsOptions,
    find: findKept,
  });
  useLiveQuery(['inbox-settings'], [labelsOptions().queryKey]);
  const navigate = useNavigate();
  const [isViewsOpen, setViewsOpen] = useState(false);
  const { rows, status, errorText, onRetry, onEndReached } = list.shown;
  const { selection } = list;
  const isSearch = list.wanted.search.length >= SHORTEST_SEARCH && list.searched === undefined;
  const select = useSelect(rows, selection);
  useInboxKeys({
    rows: isSearch ? [] : rows,
    openId,
    open: (id) => void navigate({ to: paths.conversation(id), search: keepFilters }),
    close: () => void navigate({ to: paths.inbox, search: keepFilters }),
    toggle: (id) => select(id, !selection.selected.has(id), false),
    views: () => setViewsOpen(true),
    newChat: can('messages:create') ? () => list.setUrl({ dialog: 'new-chat' }, { push: true }) : undefined,
  });

  return (
    <>
      <header className="flex h-14 shrink-0 items-center justify-between gap-2 pr-2 pl-4">
        <h1 className="mr-auto text-lg font-semibold">{t('inbox.title')}</h1>
        {can('messages:manage') ? (
          <IconButton
            label={t('teamwork.settings')}
            onClick={() => list.setUrl({ dialog: 'settings' }, { push: true })}
          >
            <Settings aria-hidden />
          </IconButton>
        ) : null}
        {can('messages:create') ? (
          <IconButton
            label={t('inbox.newChat')}
            onClick={() => list.setUrl({ dialog: 'new-chat' }, { push: true })}
          >
            <MessageSquarePlus aria-hidden />
          </IconButton>
        ) : null}
      </header>
      <div className="shrink-0 px-3 pb-2">
        <SearchInput {...list.searchField} label={t('inbox.search')} placeholder={t('inbox.search')} />
      </div>
      {isSearch ? (
        <SearchResults search={list.wanted.search} openId={openId} />
      ) : (
        <>
          <ListFilters list={list} viewsMenu={{ open: isViewsOpen, onOpenChange: setViewsOpen }} />
          {status === 'ready' ? <Arrivals rows={rows} openId={openId} /> : null}
          <OfflineSearchNote searched={list.searched} />
          {status === 'loading' ? (
            <RowSkeletons />
          ) : status === 'error' ? (
            <ErrorState text={errorText} onRetry={onRetry} />
          ) : rows.length === 0 ? (
            <Nothing
              list={list}
              onClear={() => list.setUrl({ ...withoutFilters, tab: undefined, search: undefined })}
            />
          ) : (
            <ConversationRows
              key={list.searchedFor}
              rows={rows}
              openId={openId}
              selected={selection.selected}
              onSelect={select}
              onEndReached={onEndReached}
            />
          )}
          <Suspense>
            {selection.selected.size > 0 ? <BulkBar rows={rows} selection={selection} /> : null}
          </Suspense>
        </>
      )}
    </>
  );
}

/** The message that was jumped to belongs to its conversation. */
export function keepFilters(before: Record<string, unknown>): Record<string, unknown> {
  return { ...before, message: undefined };
}

/** One row, or with Shift all from the one before. */
function useSelect(
  rows: readonly Conversation[],
  selection: ReturnType<typeof useListPage>['selection'],
): (id: string, on: boolean, range: boolean) => void {
  const latest = useRef({ rows, selection });
  useEffect(() => {
    latest.current = { rows, selection };
  });
  const anchor = useRef<string>(undefined);
  return useCallback((id, on, range) => {
    const { rows: shown, selection: now } = latest.current;
    const ids = shown.map((row) => row.id);
    const from = range && anchor.current ? ids.indexOf(anchor.current) : -1;
    const at = ids.indexOf(id);
    const next = new Set(now.selected);
    const [first, last] = from === -1 ? [at, at] : [Math.min(from, at), Math.max(from, at)];
    for (const chosen of ids.slice(first, last + 1)) {
      if (on) next.add(chosen);
      else next.delete(chosen);
    }
    anchor.current = id;
    now.change(next);
  }, []);
}

function Nothing({
  list,
  onClear,
}: {
  list: { url: { tab: string }; activeFilters: number; isFiltered: boolean };
  onClear: () => void;
}) {
  const isTabAlone = list.activeFilters <= (list.url.tab === 'all' ? 0 : 1);
  if (list.isFiltered && !isTabAlone)
    return (
      <EmptyState
        icon={<Inbox />}
        title={t('inbox.noMatch')}
        text={t('inbox.noMatchText')}
        action={<Button onClick={onClear}>{t('inbox.clearFilters')}</Button>}
      />
    );
  const tab = list.url.tab as 'all' | 'unread' | 'pinned' | 'archived'; // the address has no other
  return <EmptyState icon={<Inbox />} title={t(`inbox.empty.${tab}`)} text={t(`inbox.emptyText.${tab}`)} />;
}

function RowSkeletons() {
  return (
    <SkeletonRegion className="min-h-0 flex-1 overflow-hidden">
      {Array.from({ length: 9 }, (_, index) => (
        <div key={index} className="flex h-21 gap-3 border-b border-border px-3 py-2.5">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex-1">
            <Skeleton className="w-2/5" />
            <Skeleton className="mt-2.5 h-3 w-4/5" />
            <Skeleton className="mt-2.5 h-3 w-1/4" />
          </div>
        </div>
      ))}
    </SkeletonRegion>
  );
}
