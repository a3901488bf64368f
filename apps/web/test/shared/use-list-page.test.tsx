import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { NoRows } from '../../src/shared/lists/no-rows.tsx';
import { useListPage } from '../../src/shared/lists/use-list-page.ts';
import { ServerDataClient } from '../../src/shared/server-data-client.ts';
import { readOneOf, readText } from '../../src/shared/url-state.ts';
import { CardList } from '../../src/ui/table/card-list.tsx';
import { FilterSelect } from '../../src/ui/table/filter-select.tsx';
import { SearchInput } from '../../src/ui/table/search-input.tsx';
import { eventually, find, findAll, press, show, shownText, type } from '../screen.tsx';

type Plant = { id: string; kind: 'tree' | 'flower' };

const plants: Plant[] = [
  { id: 'oak', kind: 'tree' },
  { id: 'rose', kind: 'flower' },
  { id: 'ash', kind: 'tree' },
];

const readSearch = (search: Record<string, unknown>) => ({
  search: readText(search, 'search'),
  kind: readOneOf(search, 'kind', ['all', 'tree', 'flower']),
});
type Wanted = ReturnType<typeof readSearch>;

const findPlants = (all: readonly Plant[], { search, kind }: Wanted) =>
  all.filter((plant) => plant.id.includes(search) && (kind === 'all' || plant.kind === kind));

/** A server that answers two plants at a time, or fails while it is told to. */
function openPlants(address: string, fails = false) {
  const server = { fails, gate: Promise.resolve(), asked: [] as number[] };
  const client = new ServerDataClient({ defaultOptions: { queries: { retry: false } } });
  type Answer = { items: Plant[]; nextCursor: string | null };
  const options = ({ search, kind }: Wanted) => ({
    queryKey: ['plants', search, kind],
    queryFn: async ({ pageParam }: { pageParam: string | undefined }): Promise<Answer> => {
      server.asked.push(Number(pageParam ?? 0));
      await server.gate;
      if (server.fails) return Promise.reject(new Error('no'));
      const found = findPlants(plants, { search, kind });
      const from = Number(pageParam ?? 0);
      const next = from + 2 < found.length ? String(from + 2) : null;
      return Promise.resolve({ items: found.slice(from, from + 2), nextCursor: next });
    },
    initialPageParam: undefined,
    getNextPageParam: (last: Answer) => last.nextCursor ?? undefined,
  });

  function Plants() {
    const list = useListPage({ read: readSearch, filters: ['kind'], options, find: findPlants });
    return (
      <>
        <SearchInput {...list.searchField} placeholder="Search plants" />
        <FilterSelect
          {...list.choice('kind')}
          label="Kind"
          options={(['all', 'tree', 'flower'] as const).map((value) => ({ value, label: value }))}
        />
        <output>{list.activeFilters} in use</output>
        <button type="button" onClick={() => list.selection.selectAll()}>
          Select all
        </button>
        <output>{list.selection.selected.size} selected</output>
        <CardList
          {...list.shown}
          label="Plants"
          moreLabel="More plants"
          empty={
            <NoRows
              list={list}
              title="No plants"
              noMatch="Nothing fits."
              clearLabel="Show all"
              text="Plant one."
              icon={null}
            />
          }
        >
          {({ id }) => <li key={id}>{id}</li>}
        </CardList>
      </>
    );
  }

  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: createRootRoute({ component: Plants }), history });
  show(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return { server, client, address: () => history.location.href };
}

const rows = () => findAll('listitem').map(({ textContent }) => textContent);
const showsRows = (...ids: string[]) => eventually(() => expect(rows()).toEqual(ids));

test('search and filters live in the address, and their default leaves it', async () => {
  const { address } = openPlants('/?kind=tree');
  await showsRows('oak', 'ash');
  expect(shownText()).toContain('1 in use');
  type(await find('searchbox', 'Search plants'), 'oa');
  await showsRows('oak');
  await eventually(() => expect(address()).toBe('/?kind=tree&search=oa'));
  const kind = (await find('combobox', 'Kind')) as HTMLSelectElement;
  kind.value = 'all';
  kind.dispatchEvent(new Event('change', { bubbles: true }));
  await eventually(() => expect(address()).toBe('/?search=oa'));
});

test('the next page comes on a press', async () => {
  openPlants('/');
  await showsRows('oak', 'rose');
  press(await find('button', 'More plants'));
  await showsRows('oak', 'rose', 'ash');
  expect(findAll('button', 'More plants')).toEqual([]);
});

test('the next page comes as well when a reading anew began just before it was asked for', async () => {
  const { server, client } = openPlants('/');
  await showsRows('oak', 'rose');
  const more = await find('button', 'More plants');
  void client.refetchQueries({ queryKey: ['plants'] });
  press(more);
  await showsRows('oak', 'rose', 'ash');
  expect(server.asked).toEqual([0, 0, 2]);
});

test('the next page waits for what is being read anew, and neither is given up', async () => {
  const { server, client } = openPlants('/');
  await showsRows('oak', 'rose');
  const gate = Promise.withResolvers<void>();
  server.gate = gate.promise;
  void client.invalidateQueries({ queryKey: ['plants'] });
  await eventually(() => expect(server.asked).toEqual([0, 0]));
  press(await find('button', 'More plants'));
  press(await find('button', 'More plants'));
  gate.resolve();
  await showsRows('oak', 'rose', 'ash');
  expect(server.asked).toEqual([0, 0, 2]);
});

test('nothing that fits leads back to everything', async () => {
  const { address } = openPlants('/?kind=flower&search=oak');
  press(await find('button', 'Show all'));
  await showsRows('oak', 'rose');
  expect(address()).toBe('/');
});

test('a failure says so and is tried again', async () => {
  const { server } = openPlants('/?search=ash', true);
  await find('alert');
  server.fails = false;
  press(await find('button', 'Try again'));
  await showsRows('ash');
  expect(findAll('alert')).toEqual([]);
});

test('a selection ends with the search that it was made in', async () => {
  openPlants('/');
  await showsRows('oak', 'rose');
  press(await find('button', 'Select all'));
  await eventually(() => expect(shownText()).toContain('2 selected'));
  type(await find('searchbox', 'Search plants'), 'ro');
  await eventually(() => expect(shownText()).toContain('0 selected'));
});
