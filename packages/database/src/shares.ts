import { NO_CONNECTION_FREE, QueryError } from './query-error.ts';

export type Shares = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * At most `ofOne` works of one owner at a time, so that a pool has room for the next one. The others wait in the order in
 * which they came, and as long as they would for a connection.
 */
export function createShares({ ofOne, waitMs }: { ofOne: number; waitMs: number }): Shares {
  const lines = new Map<string, { held: number; waiting: (() => void)[] }>();

  function takePlace(owner: string): Promise<void> | undefined {
    const line = lines.get(owner) ?? { held: 0, waiting: [] };
    lines.set(owner, line);
    if (line.held < ofOne) {
      line.held += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(begin), 1);
        reject(new QueryError({ code: NO_CONNECTION_FREE }));
      }, waitMs);
      line.waiting.push(begin);
    });
  }

  function giveBack(owner: string): void {
    const line = lines.get(owner);
    const next = line?.waiting.shift();
    if (next) return next(); // the place changes hands
    if (line && (line.held -= 1) === 0) lines.delete(owner);
  }

  return async (owner, work) => {
    await takePlace(owner);
    try {
      return await work();
    } finally {
      giveBack(owner);
    }
  };
}
