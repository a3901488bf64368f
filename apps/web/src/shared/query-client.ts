import { QueryClient } from '@tanstack/react-query';
import { readFailure } from './api.ts';

/** The one cache of server data; pages paint from it at once and revalidate behind. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      // Refusals stay refusals; only a lost connection or a failing server is worth another try.
      retry: (count, error) => count < 2 && ['offline', 'internal'].includes(readFailure(error).code),
    },
    mutations: { retry: false },
  },
});
