import type { Column } from './table-column.ts';
import { Skeleton } from '../states.tsx';

/** Rows in the shape of those to come. */
export function SkeletonRows<Row>({
  columns,
  tracks,
  asCards,
  offset,
  count = 8,
}: {
  columns: readonly Column<Row>[];
  tracks: string;
  asCards: boolean;
  offset: number;
  count?: number;
}) {
  return (
    <div aria-hidden>
      {Array.from({ length: count }, (_, index) =>
        asCards ? (
          <div key={index} className="mb-3 rounded-card border border-border bg-raised p-4">
            <Skeleton className="w-1/2" />
            <Skeleton className="mt-3 h-3 w-3/4" />
            <Skeleton className="mt-2 h-3 w-2/3" />
          </div>
        ) : (
          <div
            key={index}
            className="grid h-[53px] items-center border-b border-border last:border-0"
            style={{ gridTemplateColumns: tracks }}
          >
            {columns.map((column, place) => (
              <span
                key={column.id}
                className="px-3"
                style={place === 0 ? { gridColumnStart: offset + 1 } : {}}
              >
                <Skeleton
                  className={place === 0 ? 'h-4 w-4/5' : (index + place) % 2 ? 'h-3 w-3/5' : 'h-3 w-2/5'}
                />
              </span>
            ))}
          </div>
        ),
      )}
    </div>
  );
}
