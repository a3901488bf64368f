import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { Checkbox } from '../controls/choice.tsx';
import { classNames } from '../class-names.ts';
import type { DataTableProps } from './data-table-props.ts';
import { useUiWords } from '../ui-words.tsx';

/** The headings of the columns: they stay in sight, sort, and select all. */
export function TableHeader<Row>({
  columns,
  tracks,
  rows,
  selected,
  selectable,
  onSelectAll,
  sort,
  onSortChange,
  rowActions,
  rowActionsHeader,
}: DataTableProps<Row> & { tracks: string; selectable: boolean; onSelectAll: (on: boolean) => void }) {
  const words = useUiWords();
  const count = selected?.size ?? 0;
  return (
    <div
      role="rowgroup"
      className="sticky top-0 layer-sticky rounded-t-card border-b border-border bg-raised"
    >
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-10 items-center"
        style={{ gridTemplateColumns: tracks }}
      >
        {selectable ? (
          <span role="columnheader" className="pl-4">
            <Checkbox
              label={words.selectAll}
              hideLabel
              checked={count > 0 && count >= rows.length}
              indeterminate={count > 0 && count < rows.length}
              onChange={(event) => onSelectAll(event.target.checked)}
            />
          </span>
        ) : null}
        {columns.map((column) => {
          const sorted = sort?.column === column.id ? sort.direction : undefined;
          const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown;
          return (
            <span
              key={column.id}
              role="columnheader"
              aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
              className={classNames(
                'truncate px-3 text-sm font-medium text-muted',
                column.align === 'end' && 'text-right',
              )}
            >
              {column.sortable && onSortChange ? (
                <button
                  type="button"
                  title={words.sortBy(column.header)}
                  onClick={() =>
                    onSortChange({ column: column.id, direction: sorted === 'asc' ? 'desc' : 'asc' })
                  }
                  className={classNames(
                    '-mx-1.5 inline-flex h-7 items-center gap-1 rounded px-1.5 hover:bg-hover hover:text-text focus-visible:-outline-offset-2',
                    sorted && 'text-text',
                  )}
                >
                  {column.header}
                  <Icon aria-hidden className={classNames('size-3.5', !sorted && 'opacity-50')} />
                </button>
              ) : (
                column.header
              )}
            </span>
          );
        })}
        {rowActions ? (
          <span role="columnheader" className="truncate px-3 text-right text-sm font-medium text-muted">
            {rowActionsHeader ?? <span className="sr-only">{words.rowActions}</span>}
          </span>
        ) : null}
      </div>
    </div>
  );
}
