import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { MouseEvent, RefObject } from 'react';
import { classNames } from '../class-names.ts';
import { useIsOffline } from '../connection.tsx';
import { ErrorState, OfflineState } from '../states.tsx';
import { useMediaQuery } from '../use-media-query.ts';
import { TableHeader } from './data-table-header.tsx';
import type { DataTableProps } from './data-table-props.ts';
import { TableLines } from './data-table-lines.tsx';
import { TableCard, TableRow } from './data-table-row.tsx';
import { SkeletonRows } from './data-table-skeleton.tsx';
import { useShownColumns } from './use-shown-columns.ts';
import { ROW_HEIGHT, useTableKeys, type RowPlace } from './use-table-keys.ts';
import { useEndReached, useScroller } from './use-table-scroll.ts';

/** More columns than these share what room there is: their cells are cut, and the table never grows out of the page. */
const FITTING = 6;

/** `minmax(9rem, 1fr)` becomes a share of the room, as large as the least width says. */
function shrunk(width: string): string {
  return `minmax(0, ${/[\d.]+(?=rem)/.exec(width)?.[0] ?? '8'}fr)`;
}

/** What a card, or two lines, are about as high as before they are measured. */
const CARD_HEIGHT = 152;
const LINES_HEIGHT = 61;

/**
 * A list of any length: only the rows on screen exist, the page itself scrolls, and under 640 px each row is a card.
 * Sorting, searching and paging are the server's work, so no row model is built over what is loaded.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, status, empty, total, selected, onSelectedChange, rowActions } = props;
  const isOffline = useIsOffline();
  const isSmall = useMediaQuery('(max-width: 639px)');
  const asLines = isSmall && props.small === 'lines';
  const asCards = isSmall && !asLines;
  const { density = 'comfortable' } = props;
  const rowHeight = asLines ? LINES_HEIGHT : ROW_HEIGHT[density];
  const shown = useShownColumns(columns);
  const { scroller, offset, body, attach } = useScroller();
  const [focused, setFocused] = useState<RowPlace>({ id: undefined, index: 0 });
  const [menuRow, setMenuRow] = useState<string>();
  const selectable = selected !== undefined && onSelectedChange !== undefined;

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => (asCards ? CARD_HEIGHT : rowHeight),
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowId(row);
    },
    overscan: 12,
    scrollMargin: offset,
  });
  const items = virtual.getVirtualItems();
  /** The row that has, or would get, the focus. */
  const active =
    items.find((item) => item.key === focused.id)?.index ??
    Math.min(focused.index, Math.max(0, rows.length - 1));
  useEndReached(items.at(-1)?.index ?? -1, rows.length, status, props.onEndReached);

  const tracks = [
    selectable ? '2.75rem' : '',
    ...shown.map(({ width = 'minmax(8rem, 1fr)' }) => (shown.length > FITTING ? shrunk(width) : width)),
    rowActions ? (props.rowActionsHeader ? '5rem' : '3rem') : '',
  ]
    .filter(Boolean)
    .join(' ');

  const { select, selectAll, onKeyDown } = useTableKeys({
    ...props,
    setFocused,
    body,
    scroller,
    virtual,
    openMenu: setMenuRow,
    rowHeight,
  });
  const latest = useLatest({ select, rowActions, rowName: props.rowName });
  const onSelect = useCallback(
    (index: number, on: boolean, range: boolean) => latest.current.select(index, on, range),
    [latest],
  );
  const nameOf = useCallback((row: Row) => latest.current.rowName(row), [latest]);
  const actionsOf = useCallback((row: Row) => latest.current.rowActions?.(row) ?? [], [latest]);
  const onMenu = useCallback((id: string, open: boolean) => setMenuRow(open ? id : undefined), []);
  const Part = asCards ? TableCard : asLines ? TableLines : TableRow;
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
      {isSmall ? null : (
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
          <SkeletonRows
            columns={asLines ? shown.slice(0, 1) : shown}
            tracks={asLines ? '1fr' : tracks}
            asCards={asCards}
            offset={selectable && !asLines ? 1 : 0}
          />
        )
      ) : null}
      <div ref={attach} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
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
              onFocus={() => setFocused({ id, index: item.index })}
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
                columns={isSmall ? columns : shown}
                density={density}
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
          columns={asLines ? shown.slice(0, 1) : shown}
          tracks={asLines ? '1fr' : tracks}
          asCards={asCards}
          offset={selectable && !asLines ? 1 : 0}
          count={2}
        />
      ) : null}
      {status === 'error' && rows.length > 0 ? (
        <ErrorState text={props.errorText} onRetry={props.onRetry} />
      ) : null}
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

function isControl(event: MouseEvent): boolean {
  const target = event.target as HTMLElement;
  return target.closest('a, button, input, label, [role="menu"], [role="menuitem"]') !== null;
}
