import { QueryClient } from '@tanstack/react-query';
import type { InvalidateOptions, InvalidateQueryFilters, Query, QueryKey } from '@tanstack/react-query';

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
      .filter(({ state }) => state.data === undefined && state.fetchStatus !== 'idle')
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
