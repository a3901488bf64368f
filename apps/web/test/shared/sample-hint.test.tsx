import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orpc } from '../../src/shared/api.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { SampleHint } from '../../src/shared/sample/sample-hint.tsx';
import { eventually, find, findAll, press, show } from '../screen.tsx';

// Who is signed in is kept already; nothing is asked for.
beforeEach(() => vi.stubGlobal('fetch', () => new Promise(() => undefined)));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  sessionStorage.clear();
});

function open(address: string, isSample = true) {
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    ...{
      user: { id: 'u', email: 'admin@example.com' },
      workspace: { id: 'w', isSample },
    },
    permissions: [],
  } as never);
  const history = createMemoryHistory({ initialEntries: [address] });
  const component = () => (
    <>
      <SampleHint />
      <p>The page</p>
    </>
  );
  const router = createRouter({
    routeTree: createRootRoute({ component, notFoundComponent: () => null }),
    history,
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

test('a page of the sample leads to where a business begins, until it is put away in this tab', async () => {
  open('/dashboard');
  const link = await find('link', 'Start for Real');
  expect(link.getAttribute('href')).toBe('/dashboard/settings?tab=data');
  press(await find('button', 'Hide until the next visit'));
  await eventually(() => expect(findAll('link')).toEqual([]));
  open('/dashboard/contacts');
  await eventually(() => expect(document.body.textContent).toContain('The page'));
  expect(findAll('link')).toEqual([]);
});

test.each([
  ['a workspace of a business', '/dashboard', false],
  ['the page of the act', '/dashboard/settings?tab=data', true],
])('%s has none', async (_, address, isSample) => {
  open(address, isSample);
  await eventually(() => expect(document.body.textContent).toContain('The page'));
  expect(findAll('note')).toEqual([]);
});
