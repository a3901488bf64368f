import { isStep, type CallOptions } from './rpc-client.ts';

type Caller = (input: unknown, options?: CallOptions<object>) => Promise<unknown>;
type Options = Record<string, unknown> & { input?: unknown; context?: object };
type PageOptions = {
  input: (page: unknown) => unknown;
  initialPageParam: unknown;
  context?: object;
  queryKey?: unknown;
};
type Reading = { signal?: AbortSignal };

/**
 * Options of queries and mutations by the path of an endpoint: `utils.contacts.list.queryOptions({ input })`. The types are those of
 * `@orpc/tanstack-query`, whose code is not loaded: a page needs six of its functions.
 */
export function createQueryUtils(client: object, path: readonly string[] = []): object {
  const call = client as Caller; // each step of the client can be called
  const keyOf = (parts: object) => [path, parts];
  const utils = {
    key: ({ type, input }: { type?: string; input?: unknown } = {}) =>
      keyOf({ ...(input !== undefined && { input }), ...(type !== undefined && { type }) }),
    queryKey: ({ input, queryKey }: Options = {}) =>
      queryKey ?? keyOf({ ...(input !== undefined && { input }), type: 'query' }),
    queryOptions: (options: Options = {}) => ({
      queryFn: ({ signal }: Reading) =>
        call(options.input, { signal, ...(options.context && { context: options.context }) }),
      ...options,
      queryKey: utils.queryKey(options),
    }),
    infiniteKey: ({ input, initialPageParam, queryKey }: PageOptions) =>
      queryKey ?? keyOf({ input: input(initialPageParam), type: 'infinite' }),
    infiniteOptions: (options: PageOptions) => ({
      queryFn: ({ pageParam, signal }: Reading & { pageParam: unknown }) =>
        call(options.input(pageParam), { signal, ...(options.context && { context: options.context }) }),
      ...options,
      queryKey: utils.infiniteKey(options),
    }),
    mutationKey: ({ mutationKey }: Options = {}) => mutationKey ?? keyOf({ type: 'mutation' }),
    mutationOptions: (options: Options = {}) => ({
      mutationFn: (input: unknown) => call(input, { ...(options.context && { context: options.context }) }),
      ...options,
      mutationKey: utils.mutationKey(options),
    }),
  };
  return new Proxy(utils, {
    get(target, key) {
      const own = Reflect.get(target, key) as object | undefined;
      if (own || !isStep(key)) return own;
      return createQueryUtils(Reflect.get(client, key) as object, [...path, key]);
    },
  });
}
