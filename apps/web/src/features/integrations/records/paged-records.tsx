import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { integrationErrorMessage } from '../integrations-queries.ts';

/** Which pages a list of a connection has, with so many records each. */
export function pagesOf(kind: string, limit: number) {
  return {
    input: (cursor: string | undefined) => ({ kind, limit, cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
  };
}

/** The pages of a list that were read so far, with the button that reads the next one. */
export function PagedRecords<Item>({
  query: { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage },
  className,
  empty,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<{ items: Item[] }>>;
  className: string;
  /** In place of a list without records. */
  empty: ReactNode;
  children: (records: readonly Item[]) => ReactNode;
}) {
  if (!data && error)
    return <ErrorState text={integrationErrorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-32" />;
  const records = data.pages.flatMap(({ items }) => items);
  if (records.length === 0) return empty;
  return (
    <div className={className}>
      {children(records)}
      {hasNextPage ? (
        <div>
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('integrations.showMore')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
