import type pg from 'pg';
import type { DeliveryClock } from '../../src/delivery-host.ts';

/** Time that runs `speed` times as fast, so that waits of seconds pass in a test. */
export function fastClock(speed: number): DeliveryClock {
  const startedAt = performance.timeOrigin + performance.now();
  return {
    now: () => startedAt + (performance.timeOrigin + performance.now() - startedAt) * speed,
    after: (ms, call) => {
      const timer = setTimeout(call, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}

/** A process that can die: from then on its timers stay silent and its database answers nothing. */
export type MortalProcess = { isDead: boolean; clock: DeliveryClock; pool: pg.Pool; die(): void };

/**
 * The pool of a process on a bad network: some statements are lost on the way there, some answers on the way back, when the
 * statement has happened already.
 */
export function createMortalProcess(
  pool: pg.Pool,
  clock: DeliveryClock,
  random: () => number,
  lossRate: number,
): MortalProcess {
  const never = new Promise<never>(() => undefined);
  async function flaky<Result>(run: () => Promise<Result>): Promise<Result> {
    if (self.isDead) return never;
    if (random() < lossRate) throw new Error('The connection was lost before the statement');
    const result = await run();
    if (self.isDead) return never;
    if (random() < lossRate) throw new Error('The connection was lost before the answer');
    return result;
  }
  const taken = new Set<pg.PoolClient>();
  const flakyPool = new Proxy(pool, {
    get(target, name) {
      if (name === 'query')
        return (...values: [never]) => flaky(() => target.query(...values) as unknown as Promise<unknown>);
      if (name === 'connect')
        return async () => {
          if (self.isDead) return never;
          const client = await target.connect();
          taken.add(client);
          const release = client.release.bind(client);
          client.release = (error) => {
            if (taken.delete(client)) release(error);
          };
          return client;
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const self: MortalProcess = {
    isDead: false,
    pool: flakyPool,
    die() {
      self.isDead = true;
      for (const client of taken) client.release(true);
    },
    clock: {
      now: clock.now,
      after: (ms, call) => clock.after(ms, () => self.isDead || call()),
    },
  };
  return self;
}

/** The same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
