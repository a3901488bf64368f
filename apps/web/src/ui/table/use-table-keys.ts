import type { Virtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import type { DataTableProps } from './data-table-props.ts';

export const ROW_HEIGHT = 53;

interface TableKeys<Row> extends Pick<
  DataTableProps<Row>,
  'rows' | 'rowId' | 'selected' | 'onSelectedChange' | 'rowActions' | 'onOpenRow'
> {
  /** The row that has, or would get, the focus. */
  active: number;
  setFocused: (index: number) => void;
  body: RefObject<HTMLDivElement | null>;
  scroller: HTMLElement | null;
  virtual: Virtualizer<HTMLElement, Element>;
  openMenu: (id: string) => void;
}

/** Arrow keys move through the rows, the space bar selects, Enter opens, Shift+F10 shows what can be done. */
export function useTableKeys<Row>({
  rows,
  rowId,
  selected,
  onSelectedChange,
  rowActions,
  onOpenRow,
  active,
  setFocused,
  body,
  scroller,
  virtual,
  openMenu,
}: TableKeys<Row>) {
  const anchor = useRef(0);
  const selectable = selected !== undefined && onSelectedChange !== undefined;

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
    const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 600) / ROW_HEIGHT) - 2);
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
