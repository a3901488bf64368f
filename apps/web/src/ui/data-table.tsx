import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import { Checkbox } from './choice.tsx';
import { classNames } from './class-names.ts';
import { useIsOffline } from './connection.tsx';
import { TableCard, TableRow } from './data-table-row.tsx';
import { ErrorState, OfflineState, Skeleton } from './states.tsx';
import type { MenuEntry } from './menu.tsx';
import { useUiWords } from './ui-words.tsx';
import { useMediaQuery } from './use-media-query.ts';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** A CSS grid track: `minmax(10rem, 2fr)` unless said otherwise. */
  width?: string | undefined;
  align?: 'start' | 'end' | undefined;
  sortable?: boolean | undefined;
  /** Leaves the column out on screens narrower than this. */
  hideBelow?: 'md' | 'lg' | 'xl' | undefined;
  /** Its place in the card of small screens; `field` (label and value) unless said otherwise. */
  card?: 'title' | 'subtitle' | 'field' | 'hidden' | undefined;
}

export interface Sort {
  column: string;
  direction: 'asc' | 'desc';
}

export interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** The rows loaded so far, in the server's order. */
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The row in a few words, for its checkbox and menu. */
  rowName: (row: Row) => string;
  status: 'loading' | 'ready' | 'error';
  errorText?: ReactNode;
  onRetry?: (() => void) | undefined;
  /** Shown when there are no rows: an `EmptyState` with the spec's words. */
  empty: ReactNode;
  /** How many rows the server has in all, when it knows. */
  total?: number | undefined;
  sort?: Sort | undefined;
  onSortChange?: ((sort: Sort) => void) | undefined;
  selected?: ReadonlySet<string> | undefined;
  onSelectedChange?: ((selected: Set<string>) => void) | undefined;
  rowActions?: ((row: Row) => MenuEntry[]) | undefined;
  /** A visible heading above the row menus; otherwise it is there for screen readers only. */
  rowActionsHeader?: string | undefined;
  onOpenRow?: ((row: Row) => void) | undefined;
  /** Asks for the next page; called again only after `rows` grew. */
  onEndReached?: (() => void) | undefined;
  loadingMore?: boolean | undefined;
}

const rowHeight = 53;

/**
 * A list of any length: only the rows on screen exist, the page itself scrolls, and under 640 px each row is a card.
 * Sorting, searching and paging are the server's work, so no row model is built over what is loaded.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, status, empty, total, selected, onSelectedChange, rowActions } = props;
  const asCards = useMediaQuery('(max-width: 639px)');
  const shown = useShownColumns(columns);
  const body = useRef<HTMLDivElement>(null);
  const { scroller, offset } = useScroller(body);
  const [focused, setFocused] = useState(0);
  const [menuRow, setMenuRow] = useState<string>();
  const anchor = useRef(0);
  const selectable = selected !== undefined && onSelectedChange !== undefined;
  const active = Math.min(focused, Math.max(0, rows.length - 1));

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => (asCards ? 152 : rowHeight),
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowId(row);
    },
    overscan: 12,
    scrollMargin: offset,
  });
  const items = virtual.getVirtualItems();
  useEndReached(items.at(-1)?.index ?? -1, rows.length, status, props.onEndReached);

  const tracks = [
    selectable ? '2.75rem' : '',
    ...shown.map((column) => column.width ?? 'minmax(8rem, 1fr)'),
    rowActions ? (props.rowActionsHeader ? '5rem' : '3rem') : '',
  ]
    .filter(Boolean)
    .join(' ');

  function select(index: number, on: boolean, range: boolean) {
    if (!selected || !onSelectedChange) return;
    const next = new Set(selected);
    const [from, to] = range
      ? [Math.min(anchor.current, index), Math.max(anchor.current, index)]
      : [index, index];
    for (const row of rows.slice(from, to + 1)) {
      if (on) next.add(rowId(row));
      else next.delete(rowId(row));
    }
    anchor.current = index;
    onSelectedChange(next);
  }

  function moveTo(index: number) {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    setFocused(target);
    virtual.scrollToIndex(target);
    // The row may not exist before it has scrolled into view.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        body.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus({ preventScroll: true }),
      ),
    );
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const row = rows[active];
    // Keys pressed inside a cell's own control belong to that control.
    if (row === undefined || !(event.target as HTMLElement).hasAttribute('data-index')) return;
    const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 600) / rowHeight) - 2);
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = moves[event.key];
    if (target !== undefined) {
      moveTo(target);
      if (event.shiftKey && selectable) select(Math.max(0, Math.min(rows.length - 1, target)), true, true);
    } else if (event.key === ' ' && selectable) select(active, !selected.has(rowId(row)), event.shiftKey);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selectable) selectAll(true);
    else if (event.key === 'Enter' && props.onOpenRow) props.onOpenRow(row);
    else if ((event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) && rowActions) {
      setMenuRow(rowId(row));
    } else return;
    event.preventDefault();
  }

  function selectAll(on: boolean) {
    onSelectedChange?.(new Set(on ? rows.map(rowId) : []));
  }

  const latest = useLatest({ select, rowActions, rowName: props.rowName });
  const onSelect = useCallback(
    (index: number, on: boolean, range: boolean) => latest.current.select(index, on, range),
    [latest],
  );
  const nameOf = useCallback((row: Row) => latest.current.rowName(row), [latest]);
  const actionsOf = useCallback((row: Row) => latest.current.rowActions?.(row) ?? [], [latest]);
  const onMenu = useCallback((id: string, open: boolean) => setMenuRow(open ? id : undefined), []);
  const Part = asCards ? TableCard : TableRow;
  if (status === 'error' && rows.length === 0) {
    return (
      <div className="rounded-card border border-border bg-raised">
        <ErrorState text={props.errorText} onRetry={props.onRetry} />
      </div>
    );
  }
  if (status === 'ready' && rows.length === 0) {
    return <div className="rounded-card border border-border bg-raised">{empty}</div>;
  }

  const isOffline = useIsOffline();
  return (
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-multiselectable={selectable || undefined}
      aria-busy={status === 'loading' || undefined}
      onKeyDown={onKeyDown}
      className={asCards ? '' : 'rounded-card border border-border bg-raised'}
    >
      {asCards ? null : (
        <TableHeader
          {...props}
          columns={shown}
          tracks={tracks}
          selectable={selectable}
          onSelectAll={selectAll}
        />
      )}
      {status === 'loading' && rows.length === 0 ? (
        isOffline ? (
          <OfflineState />
        ) : (
          <SkeletonRows columns={shown} tracks={tracks} asCards={asCards} offset={selectable ? 1 : 0} />
        )
      ) : null}
      <div ref={body} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const id = rowId(row);
          const isSelected = selected?.has(id) === true;
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              role="row"
              aria-rowindex={item.index + 2}
              aria-selected={selectable ? isSelected : undefined}
              tabIndex={item.index === active ? 0 : -1}
              onFocus={() => setFocused(item.index)}
              onClick={(event) => {
                if (props.onOpenRow && !isControl(event)) props.onOpenRow(row);
              }}
              className={classNames(
                'group absolute inset-x-0 top-0 focus-visible:layer-row focus-visible:-outline-offset-2',
                props.onOpenRow && 'cursor-pointer',
              )}
              style={{ transform: `translateY(${item.start - offset}px)` }}
            >
              <Part
                index={item.index}
                row={row}
                id={id}
                columns={asCards ? columns : shown}
                tracks={tracks}
                nameOf={nameOf}
                selected={isSelected}
                onSelect={selectable ? onSelect : undefined}
                actionsOf={rowActions ? actionsOf : undefined}
                menuOpen={menuRow === id}
                onMenu={onMenu}
              />
            </div>
          );
        })}
      </div>
      {props.loadingMore ? (
        <SkeletonRows
          columns={shown}
          tracks={tracks}
          asCards={asCards}
          offset={selectable ? 1 : 0}
          count={2}
        />
      ) : null}
      {status === 'error' && rows.length > 0 ? (
        <ErrorState text={props.errorText} onRetry={props.onRetry} />
      ) : null}
    </div>
  );
}

function TableHeader<Row>({
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

function SkeletonRows<Row>({
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

/** The newest values for callbacks that must not change, so that rows which stay are not drawn again. */
function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}

function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const md = useMediaQuery('(min-width: 768px)');
  const lg = useMediaQuery('(min-width: 1024px)');
  const xl = useMediaQuery('(min-width: 1280px)');
  return useMemo(() => {
    const fits = { md, lg, xl };
    return columns.filter((column) => column.hideBelow === undefined || fits[column.hideBelow]);
  }, [columns, md, lg, xl]);
}

/** The element that scrolls the page and where the rows begin in it. */
function useScroller(body: RefObject<HTMLDivElement | null>) {
  const [place, setPlace] = useState<{ scroller: HTMLElement | null; offset: number }>({
    scroller: null,
    offset: 0,
  });
  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return undefined;
    const scroller = scrollParentOf(element);
    function measure() {
      if (!element) return;
      const offset =
        element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      setPlace((before) =>
        before.scroller === scroller && Math.abs(before.offset - offset) < 1 ? before : { scroller, offset },
      );
    }
    measure();
    // What stands above the table (cards, banners) can grow after the first paint.
    const observer = new ResizeObserver(measure);
    for (let above: HTMLElement | null = element; above && above !== scroller; above = above.parentElement) {
      observer.observe(above);
    }
    return () => observer.disconnect();
  });
  return place;
}

function scrollParentOf(element: HTMLElement): HTMLElement {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return document.documentElement;
}

function useEndReached(
  lastShown: number,
  count: number,
  status: string,
  onEndReached: (() => void) | undefined,
): void {
  const asked = useRef(-1);
  useEffect(() => {
    if (!onEndReached || status !== 'ready' || count === 0) return;
    if (count < asked.current) asked.current = -1;
    // A screen ahead, so that scrolling does not have to wait.
    if (lastShown < count - 25 || asked.current === count) return;
    asked.current = count;
    onEndReached();
  }, [lastShown, count, status, onEndReached]);
}

function isControl(event: MouseEvent): boolean {
  const target = event.target as HTMLElement;
  return target.closest('a, button, input, label, [role="menu"], [role="menuitem"]') !== null;
}
