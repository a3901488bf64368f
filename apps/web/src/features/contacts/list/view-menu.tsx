import { ChevronDown, ChevronUp, Columns3Cog, GripVertical } from 'lucide-react';
import { useState } from 'react';
import {
  defaultLayout,
  fieldColumn,
  fieldOfColumn,
  listColumns,
  listDensities,
  moveColumn,
  type ChosenColumn,
  type ListColumn,
} from '@app/domain/contacts/contact-list-layout';
import { t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Checkbox, Radio } from '../../../ui/controls/choice.tsx';
import { FieldGroup } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/overlays/popover.tsx';
import type { ListLayoutChoice } from './list-layout.ts';

/** Which columns the list has, in which order, and how close its rows stand. */
export function ViewMenu({ layout }: { layout: ListLayoutChoice }) {
  return (
    <Popover
      className="max-h-[min(32rem,var(--available-height))] w-80 overflow-y-auto"
      trigger={
        <Button icon={<Columns3Cog aria-hidden />} iconOnMedium title={t('contacts.view')}>
          {t('contacts.view')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <FieldGroup legend={t('contacts.view.density')}>
          <div className="flex gap-4">
            {listDensities.map((density) => (
              <Radio
                key={density}
                name="density"
                label={t(`contacts.view.${density}`)}
                checked={layout.density === density}
                onChange={() => layout.change({ density })}
              />
            ))}
          </div>
        </FieldGroup>
        <ColumnList layout={layout} />
        <Button
          size="small"
          variant="ghost"
          onClick={() => layout.change({ columns: defaultLayout.columns, density: layout.density })}
        >
          {t('contacts.view.reset')}
        </Button>
      </div>
    </Popover>
  );
}

function ColumnList({ layout }: { layout: ListLayoutChoice }) {
  const { columns, fields, change } = layout;
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const known: ChosenColumn[] = [...listColumns, ...fields.map(({ id }) => fieldColumn(id))];
  const hidden = known.filter((column) => !columns.includes(column));
  const nameOf = (column: ChosenColumn) => columnName(column, fields);

  function move(from: number, to: number) {
    const column = columns[from];
    if (column === undefined || to < 0 || to >= columns.length || from === to) return;
    change({ columns: moveColumn(columns, from, to) });
    setSaid(t('contacts.view.moved', { column: nameOf(column), place: to + 1, n: columns.length }));
  }

  return (
    <FieldGroup legend={t('contacts.view.columns')} hint={t('contacts.view.columnsHint')}>
      <ul className="-mx-1 grid">
        {columns.map((column, index) => (
          <li
            key={column}
            data-column={index}
            className={classNames(
              'flex items-center gap-1 rounded-md px-1 hover:bg-hover',
              dragged === index && 'bg-selected',
            )}
          >
            <button
              type="button"
              aria-label={t('contacts.view.move', { column: nameOf(column) })}
              className="grid size-6 shrink-0 cursor-grab touch-none place-items-center rounded text-muted active:cursor-grabbing"
              onKeyDown={({ key }) => {
                if (key === 'ArrowUp') move(index, index - 1);
                if (key === 'ArrowDown') move(index, index + 1);
              }}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(index);
              }}
              onPointerMove={({ clientX, clientY }) => {
                if (dragged === undefined) return;
                const over = placeAt(clientX, clientY);
                if (over === undefined || over === dragged) return;
                move(dragged, over);
                setDragged(over);
              }}
              onPointerUp={() => setDragged(undefined)}
              onPointerCancel={() => setDragged(undefined)}
            >
              <GripVertical aria-hidden className="size-4" />
            </button>
            <span className="min-w-0 flex-1 py-1">
              <Checkbox
                label={nameOf(column)}
                checked
                onChange={() => change({ columns: columns.filter((other) => other !== column) })}
              />
            </span>
            <IconButton
              size="small"
              label={t('contacts.view.up', { column: nameOf(column) })}
              aria-disabled={index === 0 || undefined}
              onClick={() => move(index, index - 1)}
            >
              <ChevronUp aria-hidden />
            </IconButton>
            <IconButton
              size="small"
              label={t('contacts.view.down', { column: nameOf(column) })}
              aria-disabled={index === columns.length - 1 || undefined}
              onClick={() => move(index, index + 1)}
            >
              <ChevronDown aria-hidden />
            </IconButton>
          </li>
        ))}
        {hidden.map((column) => (
          <li key={column} className="rounded-md py-1 pr-1 pl-8 hover:bg-hover">
            <Checkbox
              label={nameOf(column)}
              checked={false}
              onChange={() => change({ columns: [...columns, column] })}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </FieldGroup>
  );
}

/** Which of the shown columns lies there. */
function placeAt(x: number, y: number): number | undefined {
  const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]');
  return row ? Number(row.dataset['column']) : undefined;
}

/** What the column is called in the heading of the list. */
function columnName(column: ChosenColumn, fields: ListLayoutChoice['fields']): string {
  const fieldId = fieldOfColumn(column);
  if (fieldId === null) return t(`contacts.column.${column as ListColumn}`); // it is no field's
  return fields.find(({ id }) => id === fieldId)?.label ?? '';
}
