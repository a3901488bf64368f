import type pg from 'pg';

/** One statement on its way: its text, or name, how to have it done, and its values. */
type Around = (
  statement: string,
  run: () => Promise<unknown>,
  values: readonly unknown[],
) => Promise<unknown>;

/** A pool whose statements pass through `around`, those within transactions too. */
export function watchPool(pool: pg.Pool, around: Around): pg.Pool {
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'query') return watched(target, around);
      if (name === 'connect') return async () => watchClient(await target.connect(), around);
      return bound(target, name);
    },
  });
}

function watchClient(client: pg.PoolClient, around: Around): pg.PoolClient {
  return new Proxy(client, {
    get: (target, name) => (name === 'query' ? watched(target, around) : bound(target, name)),
  });
}

function watched(target: pg.Pool | pg.PoolClient, around: Around) {
  return (...values: [unknown]) => {
    const [given] = values as [string | { name?: string; text?: string; values?: unknown[] }];
    const statement = typeof given === 'string' ? given : `${given.name ?? ''} ${given.text ?? ''}`;
    const run = () => target.query(...(values as [never])) as unknown as Promise<unknown>;
    return around(statement, run, typeof given === 'string' ? [] : (given.values ?? []));
  };
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}
