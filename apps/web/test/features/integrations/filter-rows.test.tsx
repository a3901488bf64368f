import { QueryClientProvider } from '@tanstack/react-query';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FilterRows } from '../../../src/features/integrations/filter/filter-rows.tsx';
import type { Integration } from '../../../src/features/integrations/integrations-queries.ts';
import { orpc } from '../../../src/shared/api.ts';
import { loadMessages } from '../../../src/shared/messages.ts';
import { queryClient } from '../../../src/shared/query-client.ts';
import { find, findAll, press, show, shownText, type } from '../../screen.tsx';

type Filter = Integration['filter'];
const hubspot = { kind: 'hubspot', title: 'HubSpot' };

beforeAll(() => loadMessages('integrations'));
beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  queryClient.setQueryData(orpc.integrations.listFields.queryKey({ input: { kind: 'hubspot' } }), {
    items: [
      { name: 'name', label: 'First name + last name', isReadOnly: false, options: [] },
      { name: 'city', label: 'City', isReadOnly: false, options: [] },
    ],
  });
});

function open(filter: Filter, isLocked = false): () => Filter | undefined {
  let last: Filter | undefined;
  show(
    <QueryClientProvider client={queryClient}>
      <FilterRows
        {...{ integration: hubspot, filter, isLocked }}
        onChange={(next) => {
          last = next;
        }}
      />
    </QueryClientProvider>,
  );
  return () => last;
}

test('a rule takes several values with commas, and says that it needs one', async () => {
  const last = open([]);
  press(await find('button', 'Add a rule'));
  expect(last()).toEqual([{ field: 'city', operator: 'is', values: [] }]);
  const values = await find('textbox', 'Values');
  expect(shownText()).toContain('Enter a value. Separate several with commas.');
  type(values, 'Bilbao, São Paulo,, Bilbao ');
  expect(last()).toEqual([{ field: 'city', operator: 'is', values: ['Bilbao', 'São Paulo'] }]);
  press(await find('button', 'Remove rule 1'));
  expect(last()).toEqual([]);
});

test('a rule without values has no field for them; a field that is gone keeps its name; who may not change it only reads', async () => {
  open([{ field: 'gone_field', operator: 'is_set', values: [] }], true);
  const field = await find('combobox', 'Field of HubSpot');
  expect((field as HTMLInputElement).value).toBe('gone_field');
  expect(findAll('textbox', 'Values')).toEqual([]);
  expect(findAll('button', /rule/)).toEqual([]);
});
