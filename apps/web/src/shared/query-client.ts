import { QueryClient } from '@tanstack/react-query';
import type { InvalidateOptions, InvalidateQueryFilters, Query, QueryKey } from '@tanstack/react-query';
import { readFailure } from './api.ts';

/**
 * The library keeps waiting for a query's first answer when something changes meanwhile, though that answer may have
 * been written before the change. Here such a query is read once more after its answer.
 */
export class ServerDataClient extends QueryClient {
  readonly #awaited = new WeakSet<Query>();

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const early = this.getQueryCache()
      .findAll(filters)
      .filter(({ state, promise }) => state.data === undefined && promise)
      .filter((query) => !this.#awaited.has(query));
    await Promise.all([
      super.invalidateQueries(filters, options),
      ...early.map((query) => this.#readAgain(query)),
    ]);
  }

  async #readAgain(query: Query): Promise<void> {
    this.#awaited.add(query);
    await query.promise?.catch(() => undefined);
    this.#awaited.delete(query);
    await super.invalidateQueries({ predicate: (candidate) => candidate === query });
  }
}

/** The one cache of server data; pages paint from it at once and revalidate behind. */
export const queryClient = new ServerDataClient({
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
