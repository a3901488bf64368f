export class QueueTooLong extends Error {
  override name = 'QueueTooLong';
}

export type Turns = {
  /**
   * Resolves when the turn has come; the answer gives it back, once. Rejects when too many wait already, or when the turn
   * does not come in time.
   */
  take(key: string, sharer?: string): Promise<() => void>;
  /** Whether a place that anybody gives back would let in one of those who wait; false while they wait for places of their own sharer. */
  isWaitedFor(key: string): boolean;
};

export type TurnRules = {
  /** Holders of one key at a time. */
  atOnce: number;
  mostWaiting: number;
  /** Of those places, how many one sharer of the key may hold and wait for. */
  ofOne?: { atOnce: number; mostWaiting: number };
  longestWaitMs?: number;
};

type Waiter = { sharer: string; begin(): void };
type Line = { held: Map<string, number>; waiting: Waiter[] };

/**
 * At most `atOnce` holders per key, and of each sharer only so many: whoever takes all that one may have leaves the others
 * theirs. Of those who wait, the one who holds least is next, and among equals who came first.
 */
export function createTurns({ atOnce, mostWaiting, ofOne, longestWaitMs }: TurnRules): Turns {
  const lines = new Map<string, Line>();
  const most = ofOne ?? { atOnce, mostWaiting };

  function findNext({ held, waiting }: Line): Waiter | undefined {
    if (sum(held) >= atOnce) return undefined;
    let next: Waiter | undefined;
    let fewest = most.atOnce;
    for (const waiter of waiting) {
      const own = held.get(waiter.sharer) ?? 0;
      if (own < fewest) [next, fewest] = [waiter, own];
    }
    return next;
  }

  function hold(key: string, line: Line, sharer: string): () => void {
    const { held, waiting } = line;
    held.set(sharer, (held.get(sharer) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const rest = (held.get(sharer) ?? 0) - 1;
      if (rest > 0) held.set(sharer, rest);
      else held.delete(sharer);
      const next = findNext(line);
      if (next) {
        waiting.splice(waiting.indexOf(next), 1);
        next.begin();
      } else if (held.size === 0) lines.delete(key);
    };
  }

  return {
    isWaitedFor(key) {
      const line = lines.get(key);
      return line?.waiting.some(({ sharer }) => (line.held.get(sharer) ?? 0) < most.atOnce) ?? false;
    },
    take(key, sharer = '') {
      const line = lines.get(key) ?? { held: new Map<string, number>(), waiting: [] };
      lines.set(key, line);
      const { held, waiting } = line;
      if (sum(held) < atOnce && (held.get(sharer) ?? 0) < most.atOnce)
        return Promise.resolve(hold(key, line, sharer));
      const own = waiting.filter((waiter) => waiter.sharer === sharer).length;
      if (waiting.length >= mostWaiting || own >= most.mostWaiting) return Promise.reject(new QueueTooLong());
      return new Promise((resolve, reject) => {
        const waiter = {
          sharer,
          begin() {
            clearTimeout(timer);
            resolve(hold(key, line, sharer));
          },
        };
        waiting.push(waiter);
        const timer =
          longestWaitMs === undefined
            ? undefined
            : setTimeout(() => {
                waiting.splice(waiting.indexOf(waiter), 1);
                reject(new QueueTooLong());
              }, longestWaitMs);
      });
    },
  };
}

function sum(held: ReadonlyMap<string, number>): number {
  let all = 0;
  for (const count of held.values()) all += count;
  return all;
}
