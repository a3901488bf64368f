import { useMemo } from 'react';
import { useMediaQuery } from '../use-media-query.ts';
import type { Column } from './table-column.ts';

/** The columns that this screen has room for. */
export function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const md = useMediaQuery('(min-width: 768px)');
  const lg = useMediaQuery('(min-width: 1024px)');
  const xl = useMediaQuery('(min-width: 1280px)');
  return useMemo(() => {
    const fits = { md, lg, xl };
    return columns.filter(
      ({ hideBelow, isLineOnly }) => !isLineOnly && (hideBelow === undefined || fits[hideBelow]),
    );
  }, [columns, md, lg, xl]);
}
