import type { ReactNode } from 'react';
import { CardGrid, Panel } from '../page-frame.tsx';
import { CardGridSkeleton, ErrorState } from '../states.tsx';
import type { ListProps } from './data-table-props.ts';
import { LoadMore } from './load-more.tsx';

/** What a `DataTable` is for rows, for cards: skeletons, failure, nothing to show, and more as its end comes into view. */
export function CardList<Row>({
  label,
  rows,
  status,
  errorText,
  onRetry,
  empty,
  onEndReached,
  loadingMore = false,
  moreLabel,
  hasPicture = false,
  children,
}: ListProps<Row> & {
  /** Of the button at the end. */
  moreLabel: string;
  /** The skeletons have the place of one. */
  hasPicture?: boolean;
  /** The `Card` of a row. */
  children: (row: Row) => ReactNode;
}) {
  if (status === 'loading') return <CardGridSkeleton hasPicture={hasPicture} />;
  if (status === 'error')
    return (
      <Panel>
        <ErrorState text={errorText} onRetry={onRetry} />
      </Panel>
    );
  if (rows.length === 0) return <Panel>{empty}</Panel>;
  return (
    <>
      <CardGrid label={label}>{rows.map((row) => children(row))}</CardGrid>
      {onEndReached ? <LoadMore label={moreLabel} loading={loadingMore} onReached={onEndReached} /> : null}
    </>
  );
}
