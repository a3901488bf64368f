import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import type { DataTableProps } from '../../src/ui/table/data-table-props.ts';
import { DataTable } from '../../src/ui/table/data-table.tsx';
import { eventually, find, findAll, press, pressKey, show, shownText } from '../screen.tsx';

type Person = { id: string; name: string };

const people = (count: number): Person[] =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, name: `Person ${index}` }));

function table(props: Partial<DataTableProps<Person>> = {}) {
  return (
    <DataTable
      label="People"
      columns={[{ id: 'name', header: 'Name', cell: ({ name }) => name, sortable: true }]}
      rows={people(3)}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      status="ready"
      empty={<p>Nobody yet</p>}
      {...props}
    />
  );
}

/** A list whose selection is kept, as each page keeps it. */
function Selectable({ onChange }: { onChange: (ids: string[]) => void }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return table({
    rows: people(5),
    selected,
    onSelectedChange: (next) => {
      setSelected(next);
      onChange([...next].toSorted());
    },
  });
}

test('rows come with their names, and the header tells how they are sorted', async () => {
  const onSortChange = vi.fn<(sort: unknown) => void>();
  const draw = show(table({ onSortChange }));
  await find('row', /Person 2/);
  const name = await find('button', 'Name');
  press(name);
  expect(onSortChange).toHaveBeenLastCalledWith({ column: 'name', direction: 'asc' });
  draw(table({ onSortChange, sort: { column: 'name', direction: 'asc' } }));
  await eventually(() => expect(findAll('columnheader', /Name/)[0]?.ariaSort).toBe('ascending'));
  press(await find('button', 'Name'));
  expect(onSortChange).toHaveBeenLastCalledWith({ column: 'name', direction: 'desc' });
});

test('of a long list only the rows on the screen are there, and the next page is asked for once', async () => {
  const onEndReached = vi.fn<() => void>();
  const draw = show(table({ rows: people(500), total: 500, onEndReached }));
  await find('row', /Person 0$/);
  expect(findAll('row').length).toBeLessThan(60);
  expect(onEndReached).not.toHaveBeenCalled();
  // A page gives a new function with each drawing, and draws again when more could not be had.
  const draws = (more: Partial<DataTableProps<Person>>) =>
    draw(table({ rows: people(4), onEndReached: () => onEndReached(), ...more }));
  draws({});
  await eventually(() => expect(onEndReached).toHaveBeenCalledTimes(1));
  draws({ loadingMore: true });
  draws({ errorText: 'The server is busy.', label: 'Some people' });
  await find('grid', 'Some people');
  expect(onEndReached).toHaveBeenCalledTimes(1);
  draws({ rows: people(6), label: 'More people' });
  await eventually(() => expect(onEndReached).toHaveBeenCalledTimes(2));
});

test('nothing is said in the words of the page; what could not be read offers another try', async () => {
  const draw = show(table({ rows: [] }));
  await eventually(() => expect(shownText()).toContain('Nobody yet'));
  const onRetry = vi.fn<() => void>();
  draw(table({ rows: [], status: 'error', errorText: 'The server is busy.', onRetry }));
  expect((await find('alert')).textContent).toContain('The server is busy.');
  press(await find('button', 'Try again'));
  expect(onRetry).toHaveBeenCalledTimes(1);
  draw(table({ rows: [], status: 'loading' }));
  await eventually(() => expect(findAll('grid')[0]?.ariaBusy).toBe('true'));
});

test('an error after the first page leaves the rows that are there', async () => {
  show(table({ status: 'error', errorText: 'The server is busy.' }));
  await find('row', /Person 2/);
  expect((await find('alert')).textContent).toContain('The server is busy.');
});

test('rows are chosen one by one, as a range with Shift, and all at once', async () => {
  const onChange = vi.fn<(ids: string[]) => void>();
  show(<Selectable onChange={onChange} />);
  press(await find('checkbox', /Person 1/));
  await eventually(() => expect(onChange).toHaveBeenLastCalledWith(['p1']));
  press(await find('checkbox', /Person 3/), { shiftKey: true });
  await eventually(() => expect(onChange).toHaveBeenLastCalledWith(['p1', 'p2', 'p3']));
  press(await find('checkbox', /all/i));
  await eventually(() => expect(onChange).toHaveBeenLastCalledWith(['p0', 'p1', 'p2', 'p3', 'p4']));
  press(await find('checkbox', /all/i));
  await eventually(() => expect(onChange).toHaveBeenLastCalledWith([]));
});

test('the keyboard moves between rows, opens one and chooses', async () => {
  const onOpenRow = vi.fn<(row: Person) => void>();
  show(table({ onOpenRow }));
  (await find('row', /Person 0/)).focus();
  pressKey('ArrowDown');
  await eventually(() => expect(document.activeElement?.textContent).toBe('Person 1'));
  pressKey('Enter');
  expect(onOpenRow).toHaveBeenLastCalledWith({ id: 'p1', name: 'Person 1' });
  pressKey('End');
  await eventually(() => expect(document.activeElement?.textContent).toBe('Person 2'));
  pressKey('ArrowDown');
  pressKey('Enter');
  expect(onOpenRow).toHaveBeenLastCalledWith({ id: 'p2', name: 'Person 2' });
});

test('a press on a control inside a row does not open the row', async () => {
  const onOpenRow = vi.fn<(row: Person) => void>();
  const onDelete = vi.fn<(name: string) => void>();
  const columns = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name }: Person) => (
        <>
          <span>{name}</span>
          <button type="button" onClick={() => onDelete(name)}>
            Delete {name}
          </button>
        </>
      ),
    },
  ];
  show(table({ columns, onOpenRow }));
  press(await find('button', 'Delete Person 1'));
  expect(onDelete).toHaveBeenCalledWith('Person 1');
  expect(onOpenRow).not.toHaveBeenCalled();
  press((await find('row', /Person 1/)).querySelector('span')!);
  expect(onOpenRow).toHaveBeenCalledTimes(1);
});

test('the menu of each row says whose it is', async () => {
  const onEdit = vi.fn<(name: string) => void>();
  show(table({ rowActions: ({ name }) => [{ label: 'Edit', onSelect: () => onEdit(name) }] }));
  await find('button', 'Actions for Person 0');
  press(await find('button', 'Actions for Person 1'));
  press(await find('menuitem', 'Edit'));
  expect(onEdit).toHaveBeenCalledWith('Person 1');
});

test('a drawing measures nothing; what grows above the rows lets them find their place again', async () => {
  const observed = new Map<Element, () => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      #tell: () => void;
      constructor(tell: () => void) {
        this.#tell = tell;
      }
      observe(element: Element) {
        observed.set(element, this.#tell);
      }
      unobserve() {}
      disconnect() {}
    },
  );
  const measure = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  const look = vi.spyOn(globalThis, 'getComputedStyle');
  const draw = show(table({ rows: people(3), label: 'People' }));
  await find('row', /Person 2/);
  measure.mockClear();
  look.mockClear();
  draw(table({ rows: people(3), label: 'The same people' }));
  await eventually(() => expect(document.querySelector('[role=grid]')?.ariaLabel).toBe('The same people'));
  expect(measure).not.toHaveBeenCalled();
  expect(look).not.toHaveBeenCalled();
  const rows = document.querySelector('[role=rowgroup]:last-of-type');
  observed.get(rows!)?.();
  expect(measure).toHaveBeenCalled();
  measure.mockRestore();
  look.mockRestore();
  vi.unstubAllGlobals();
});
