import type { ReactNode } from 'react';

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
  /** Its place where rows of small screens have two lines (`lines`): left out unless said otherwise. */
  line?: 'title' | 'second' | 'end' | undefined;
  /** Stands in those two lines alone. */
  isLineOnly?: boolean | undefined;
}
