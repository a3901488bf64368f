import { memo } from 'react';
import { classNames } from '../class-names.ts';
import { RowCheckbox, RowMenu, type RowProps } from './data-table-row.tsx';
import type { Column } from './table-column.ts';

// As with the other forms of a row: `memo` alone forgets the row's type.
export const TableLines = memo(PlainLines) as typeof PlainLines;

/** A row of a small screen: its name, and one line below that says what else matters. */
function PlainLines<Row>(props: RowProps<Row>) {
  const { row, columns, selected } = props;
  const at = (line: Column<Row>['line']) => columns.filter((column) => column.line === line);
  return (
    <div
      className={classNames(
        'flex min-h-[60px] items-center gap-3 border-b border-border px-3 group-last:rounded-b-card group-last:border-b-0',
        selected && 'bg-selected',
      )}
    >
      {props.onSelect ? (
        <span role="gridcell" className="flex">
          <RowCheckbox {...props} />
        </span>
      ) : null}
      <div role="gridcell" className="min-w-0 flex-1 py-1.5">
        <div className="flex min-w-0 items-center gap-2">
          {at('title').map((column) => (
            <div key={column.id} className="min-w-0 flex-1 font-medium">
              {column.cell(row)}
            </div>
          ))}
          {at('end').map((column) => (
            <span key={column.id} className="shrink-0">
              {column.cell(row)}
            </span>
          ))}
        </div>
        <div className="flex min-w-0 items-center gap-2 text-sm text-muted tabular-nums">
          {at('second').map((column) => (
            <span key={column.id} className="min-w-0 truncate">
              {column.cell(row)}
            </span>
          ))}
        </div>
      </div>
      {props.actionsOf ? (
        <span role="gridcell" className="-mr-1.5 flex">
          <RowMenu {...props} />
        </span>
      ) : null}
    </div>
  );
}
