import { EllipsisVertical } from 'lucide-react';
import { memo } from 'react';
import { IconButton } from '../button.tsx';
import { Checkbox } from '../controls/choice.tsx';
import { classNames } from '../class-names.ts';
import { Menu, type MenuEntry } from '../overlays/menu.tsx';
import type { TableDensity } from './data-table-props.ts';
import type { Column } from './table-column.ts';
import { useUiWords } from '../ui-words.tsx';

export interface RowProps<Row> {
  index: number;
  row: Row;
  id: string;
  columns: readonly Column<Row>[];
  tracks: string;
  density: TableDensity;
  nameOf: (row: Row) => string;
  selected: boolean;
  onSelect: ((index: number, on: boolean, range: boolean) => void) | undefined;
  actionsOf: ((row: Row) => MenuEntry[]) | undefined;
  menuOpen: boolean;
  onMenu: (id: string, open: boolean) => void;
}

// Scrolling draws the rows that come in and leaves those that stay; `memo` alone forgets the row's type.
export const TableRow = memo(PlainRow) as typeof PlainRow;
export const TableCard = memo(PlainCard) as typeof PlainCard;

function PlainRow<Row>(props: RowProps<Row>) {
  const { row, columns, tracks, density, selected } = props;
  return (
    <div
      className={classNames(
        density === 'compact'
          ? 'min-h-[37px] [--cell-y:--spacing(0.5)]'
          : 'min-h-[53px] [--cell-y:--spacing(1.5)]',
        'grid items-center border-b border-border transition-colors group-last:rounded-b-card group-last:border-b-0 group-hover:bg-hover',
        selected && 'bg-selected group-hover:bg-selected',
      )}
      style={{ gridTemplateColumns: tracks }}
    >
      {props.onSelect ? (
        <span role="gridcell" className="pl-4">
          <RowCheckbox {...props} />
        </span>
      ) : null}
      {columns.map((column) => (
        <span
          key={column.id}
          role="gridcell"
          className={classNames(
            'min-w-0 overflow-hidden px-3 py-(--cell-y) tabular-nums',
            column.align === 'end' && 'text-right',
          )}
        >
          {column.cell(row)}
        </span>
      ))}
      {props.actionsOf ? (
        <span role="gridcell" className="flex justify-end pr-2">
          <RowMenu {...props} />
        </span>
      ) : null}
    </div>
  );
}

function PlainCard<Row>(props: RowProps<Row>) {
  const { row, columns, selected } = props;
  const title = columns.filter((column) => column.card === 'title');
  const subtitle = columns.filter((column) => column.card === 'subtitle');
  const fields = columns.filter((column) => column.card === undefined || column.card === 'field');
  return (
    <div className="pb-3">
      <div
        className={classNames(
          'rounded-card border p-4',
          selected ? 'border-primary bg-selected' : 'border-border bg-raised',
        )}
      >
        <div className="flex items-start gap-3">
          {props.onSelect ? (
            <span role="gridcell" className="pt-0.5">
              <RowCheckbox {...props} />
            </span>
          ) : null}
          <div role="gridcell" className="min-w-0 flex-1">
            {title.map((column) => (
              <div key={column.id} className="font-medium wrap-anywhere">
                {column.cell(row)}
              </div>
            ))}
            {subtitle.map((column) => (
              <div key={column.id} className="text-muted">
                {column.cell(row)}
              </div>
            ))}
          </div>
          {props.actionsOf ? (
            <div role="gridcell" className="-mt-1.5 -mr-2">
              <RowMenu {...props} />
            </div>
          ) : null}
        </div>
        {fields.map((column) => (
          <div
            key={column.id}
            role="gridcell"
            className="mt-2 flex items-start justify-between gap-4 text-sm tabular-nums first-of-type:mt-3"
          >
            <span className="shrink-0 text-muted">{column.header}</span>
            <span className="min-w-0 text-right wrap-anywhere">{column.cell(row)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The actions of one row. */
export function RowMenu<Row>({ row, id, nameOf, actionsOf, menuOpen, onMenu }: RowProps<Row>) {
  return (
    <Menu
      open={menuOpen}
      onOpenChange={(open) => onMenu(id, open)}
      entries={() => actionsOf?.(row) ?? []}
      trigger={
        <IconButton label={useUiWords().actionsFor(nameOf(row))} size="small">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    />
  );
}

export function RowCheckbox<Row>({ index, row, nameOf, selected, onSelect }: RowProps<Row>) {
  const words = useUiWords();
  return (
    <Checkbox
      label={`${words.selectRow}: ${nameOf(row)}`}
      hideLabel
      checked={selected}
      onChange={(event) => {
        const original = event.nativeEvent;
        onSelect?.(index, event.target.checked, original instanceof MouseEvent && original.shiftKey);
      }}
    />
  );
}
