import { Pencil, Trash2, UsersRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { Sort } from '../../ui/table/data-table-props.ts';
import type { Column } from '../../ui/table/table-column.ts';
import { SelectionBar } from '../../ui/table/selection-bar.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';

interface Row {
  id: string;
  name: string;
  phone: string;
  email: string;
  tags: string[];
  active: boolean;
}

const columns: Column<Row>[] = [
  {
    id: 'name',
    header: 'Contact',
    width: 'minmax(12rem, 2fr)',
    sortable: true,
    card: 'title',
    cell: (row) => (
      <span className="flex items-center gap-3">
        <Avatar name={row.name} />
        <span className="truncate font-medium">{row.name}</span>
      </span>
    ),
  },
  { id: 'phone', header: 'Phone', card: 'subtitle', cell: (row) => row.phone },
  {
    id: 'email',
    header: 'Email',
    hideBelow: 'lg',
    cell: (row) => <span className="block truncate">{row.email}</span>,
  },
  {
    id: 'tags',
    header: 'Tags',
    hideBelow: 'md',
    cell: (row) => (
      <span className="flex gap-1">
        {row.tags.map((tag) => (
          <Badge key={tag} tone="primary">
            {tag}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '8rem',
    cell: (row) => (
      <Badge tone={row.active ? 'success' : 'danger'} dot>
        {row.active ? 'Active' : 'Blocked'}
      </Badge>
    ),
  },
];

type Show = 'rows' | 'loading' | 'empty' | 'error';

export function ListSamples() {
  const [count, setCount] = useState(100);
  const [selected, setSelected] = useState(new Set<string>());
  const [sort, setSort] = useState<Sort>({ column: 'name', direction: 'asc' });
  const [show, setShow] = useState<Show>('rows');
  const rows = useMemo(
    () =>
      Array.from({ length: count }, (_, index) => ({
        id: String(index),
        name: `Person ${index + 1}`,
        phone: `+44 7700 ${900_000 + index}`,
        email: `person${index + 1}@example.com`,
        tags: index % 3 === 0 ? ['vip', 'lead'] : ['newsletter'],
        active: index % 7 !== 0,
      })),
    [count],
  );
  return (
    <div className="flex flex-col gap-4">
      <SummaryCards>
        <SummaryCard label="Total" value="1,000,000" icon={<UsersRound />} />
        <SummaryCard label="Loaded" value={count} />
        <SummaryCard label="Loading" value={undefined} />
      </SummaryCards>
      <div className="flex flex-wrap gap-2">
        {(['rows', 'loading', 'empty', 'error'] as const).map((state) => (
          <Button key={state} size="small" aria-pressed={show === state} onClick={() => setShow(state)}>
            {state}
          </Button>
        ))}
        <Button size="small" onClick={() => setCount(100_000)}>
          100,000 loaded rows
        </Button>
      </div>
      <DataTable
        label="People"
        columns={columns}
        rows={show === 'rows' ? rows : []}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        status={show === 'loading' ? 'loading' : show === 'error' ? 'error' : 'ready'}
        errorText="No connection. Check your network and try again."
        onRetry={() => setShow('rows')}
        empty={
          <EmptyState
            title="No contacts found"
            text="Add your first contact or import a file."
            action={<Button variant="primary">Add Contact</Button>}
          />
        }
        total={1_000_000}
        sort={sort}
        onSortChange={setSort}
        selected={selected}
        onSelectedChange={setSelected}
        rowActions={() => [
          { label: 'Edit', icon: <Pencil aria-hidden />, onSelect: () => undefined },
          { label: 'Delete', icon: <Trash2 aria-hidden />, danger: true, onSelect: () => undefined },
        ]}
        onEndReached={() => setCount((before) => before + 100)}
        loadingMore={show === 'rows'}
      />
      <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
        <Button size="small">Add tag</Button>
        <Button size="small" variant="danger-ghost">
          Delete
        </Button>
      </SelectionBar>
    </div>
  );
}
