import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { markWords, searchedWords } from '@app/domain/conversations/list/searched-words';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { useChannelNames } from '../../shared/conversations/channel-names.ts';
import { sayLine } from '../../shared/conversations/line-words.ts';
import { t } from '../../shared/messages.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { paths } from '../../shared/paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { LoadMore } from '../../ui/table/load-more.tsx';
import { ConversationRow, rowHeight } from './conversation-row.tsx';
import { timeLabel } from './time-label.ts';

type Found = Awaited<ReturnType<typeof api.conversations.search>>['messages'][number];

/** A single letter stands in nearly every message. */
export const SHORTEST_SEARCH = 2;
const nothing: ReadonlySet<string> = new Set();

/** People first, then messages with the words that were found in them. */
export function SearchResults({ search, openId }: { search: string; openId: string | undefined }) {
  const found = useInfiniteQuery({
    ...orpc.conversations.search.infiniteOptions({
      input: (cursor: string | undefined) => ({ search, limit: 30, ...(cursor && { cursor }) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
    placeholderData: whileReachable,
  });
  const channels = useChannelNames();
  if (found.isError)
    return <ErrorState text={errorMessage(found.error)} onRetry={() => void found.refetch()} />;
  if (!found.data)
    return (
      <SkeletonRegion className="flex-1 p-4">
        <Skeleton className="h-12" />
        <Skeleton className="mt-3 h-12" />
      </SkeletonRegion>
    );
  const people = found.data.pages[0]?.conversations ?? [];
  const messages = found.data.pages.flatMap((page) => page.messages);
  const words = searchedWords(search);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" aria-busy={found.isPlaceholderData}>
      <p role="status" className="sr-only">
        {t('inbox.found', { people: people.length, n: messages.length })}
      </p>
      {people.length + messages.length === 0 ? (
        <EmptyState icon={<SearchX />} title={t('inbox.noResult')} text={t('inbox.noResultText')} />
      ) : null}
      {people.length > 0 ? (
        <section aria-label={t('inbox.people')}>
          <h2 className="px-4 py-2 text-sm font-medium text-muted">{t('inbox.people')}</h2>
          <ul>
            {people.map((conversation) => (
              <li key={conversation.id} style={{ height: rowHeight(conversation) }}>
                <ConversationRow
                  conversation={conversation}
                  channel={channels?.get(conversation.channelId)?.short}
                  isOpen={conversation.id === openId}
                  isSelected={nothing.has(conversation.id)}
                  onSelect={undefined}
                />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {messages.length > 0 ? (
        <section aria-label={t('inbox.messages')}>
          <h2 className="px-4 py-2 text-sm font-medium text-muted">{t('inbox.messages')}</h2>
          <ul>
            {messages.map((message) => (
              <FoundMessage
                key={message.id}
                message={message}
                words={words}
                isOpen={message.conversationId === openId}
              />
            ))}
          </ul>
          {found.hasNextPage ? (
            <LoadMore
              label={t('inbox.moreMessages')}
              loading={found.isFetchingNextPage}
              onReached={() => void found.fetchNextPage()}
            />
          ) : null}
        </section>
      ) : null}
    </div>
  );
}

function FoundMessage({
  message,
  words,
  isOpen,
}: {
  message: Found;
  words: readonly string[];
  isOpen: boolean;
}) {
  return (
    <li>
      <Link
        to={paths.conversation(message.conversationId)}
        search={(before: Record<string, unknown>) => ({ ...before, message: message.id })}
        className={classNames(
          'block border-b border-border px-4 py-2.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2',
          isOpen && 'bg-primary-soft',
        )}
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">
            <bdi>{message.contact.name}</bdi>
          </span>
          <time
            dateTime={message.at}
            title={formatDateTime(message.at)}
            className="shrink-0 text-xs text-muted"
          >
            {timeLabel(message.at)}
          </time>
        </span>
        <span dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-muted">
          {message.direction === 'out' ? `${t('inbox.you')} ` : null}
          {message.kind === 'text' ? null : sayLine({ kind: message.kind, text: '' })}
          {message.kind !== 'text' && message.text !== '' ? ': ' : null}
          {markWords(message.text, words).map((part, index) =>
            part.isFound ? (
              <mark key={index} className="rounded-sm bg-warning-soft font-medium text-text">
                {part.text}
              </mark>
            ) : (
              part.text
            ),
          )}
        </span>
      </Link>
    </li>
  );
}
