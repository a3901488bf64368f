import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type RouterHistory,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '../src/shared/query-client.ts';
import { ConfirmProvider } from '../src/ui/overlays/confirm.tsx';
import { show } from './screen.tsx';

/** Draws a component as a page at this address, with the data and the questions of the app. Answers with the history of its addresses. */
export function showPage(component: () => ReactNode, address = '/'): RouterHistory {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: createRootRoute({ component }), history });
  show(
    <QueryClientProvider client={queryClient}>
      <ConfirmProvider>
        <RouterProvider router={router as never} />
      </ConfirmProvider>
    </QueryClientProvider>,
  );
  return history;
}
