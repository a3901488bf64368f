import type { ReactNode } from 'react';
import type { MenuEntry } from '../overlays/menu.tsx';
import type { Column } from './table-column.ts';

export type TableDensity = 'comfortable' | 'compact';

export interface Sort {
  column: string;
  direction: 'asc' | 'desc';
}

/** What every list of rows or cards shows. */
export interface ListProps<Row> {
  label: string;
  /** The rows loaded so far, in the server's order. */
  rows: readonly Row[];
  status: 'loading' | 'ready' | 'error';
  errorText?: ReactNode;
  onRetry?: (() => void) | undefined;
  /** Shown when there are no rows: an `EmptyState` with the spec's words. */
  empty: ReactNode;
  /** Asks for the next page; called again only after `rows` grew. */
  onEndReached?: (() => void) | undefined;
  loadingMore?: boolean | undefined;
}

export interface DataTableProps<Row> extends ListProps<Row> {
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  /** The row in a few words, for its checkbox and menu. */
  rowName: (row: Row) => string;
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
  /** How close the rows stand. */
  density?: TableDensity | undefined;
  /** On small screens a row is two lines in place of a card: what each column is there says its `line`. */
  small?: 'cards' | 'lines' | undefined;
}
