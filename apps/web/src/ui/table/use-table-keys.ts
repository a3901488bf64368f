import type { Virtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import type { DataTableProps } from './data-table-props.ts';

export const ROW_HEIGHT = { comfortable: 53, compact: 37 } as const;

/** A row by its id: rows come and go above it while it has the focus. The index tells where to go on once it is gone. */
export interface RowPlace {
  id: string | undefined;
  index: number;
}

interface TableKeys<Row> extends Pick<
  DataTableProps<Row>,
  'rows' | 'rowId' | 'selected' | 'onSelectedChange' | 'rowActions' | 'onOpenRow'
> {
  setFocused: (place: RowPlace) => void;
  body: RefObject<HTMLDivElement | null>;
  scroller: HTMLElement | null;
  virtual: Virtualizer<HTMLElement, Element>;
  openMenu: (id: string) => void;
  rowHeight: number;
}

/** Arrow keys move through the rows, the space bar selects, Enter opens, Shift+F10 shows what can be done. */
export function useTableKeys<Row>({
  rows,
  rowId,
  selected,
  onSelectedChange,
  rowActions,
  onOpenRow,
  setFocused,
  body,
  scroller,
  virtual,
  openMenu,
  rowHeight,
}: TableKeys<Row>) {
  /** Where a range begins: the row that was chosen last. */
  const anchor = useRef<string>(undefined);
  const selectable = selected !== undefined && onSelectedChange !== undefined;

  function select(index: number, on: boolean, range: boolean) {
    if (!selected || !onSelectedChange) return;
    const next = new Set(selected);
    const begin = range ? rows.findIndex((row) => rowId(row) === anchor.current) : -1;
    const [from, to] = begin === -1 ? [index, index] : [Math.min(begin, index), Math.max(begin, index)];
    for (const row of rows.slice(from, to + 1)) {
      if (on) next.add(rowId(row));
      else next.delete(rowId(row));
    }
    const row = rows[index];
    anchor.current = row && rowId(row);
    onSelectedChange(next);
  }

  function moveTo(index: number) {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[target];
    setFocused({ id: row && rowId(row), index: target });
    virtual.scrollToIndex(target);
    // The row may not exist before it has scrolled into view.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        body.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus({ preventScroll: true }),
      ),
    );
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Keys pressed inside a cell's own control belong to that control.
    const { index } = (event.target as HTMLElement).dataset;
    const active = Number(index);
    const row = index === undefined ? undefined : rows[active];
    if (row === undefined) return;
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
      if (event.shiftKey && selectable) {
        anchor.current ??= rowId(row);
        select(Math.max(0, Math.min(rows.length - 1, target)), true, true);
      }
    } else if (event.key === ' ' && selectable) select(active, !selected.has(rowId(row)), event.shiftKey);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selectable) selectAll(true);
    else if (event.key === 'Enter' && onOpenRow) onOpenRow(row);
    else if ((event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) && rowActions) {
      openMenu(rowId(row));
    } else return;
    event.preventDefault();
  }

  function selectAll(on: boolean) {
    onSelectedChange?.(new Set(on ? rows.map(rowId) : []));
  }

  return { select, selectAll, onKeyDown };
}
