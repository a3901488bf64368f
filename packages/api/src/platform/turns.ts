export class QueueTooLong extends Error {
  override name = 'QueueTooLong';
}

export type Turns = {
  /** Resolves when the turn has come; the answer gives it back, once. Rejects when too many wait already. */
  take(key: string): Promise<() => void>;
};

/** At most `atOnce` holders per key; the others wait in the order in which they came. */
export function createTurns({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }): Turns {
  const lines = new Map<string, { held: number; waiting: (() => void)[] }>();
  return {
    take(key) {
      const line = lines.get(key) ?? { held: 0, waiting: [] };
      lines.set(key, line);
      let isHeld = true;
      const giveBack = () => {
        if (!isHeld) return;
        isHeld = false;
        const next = line.waiting.shift();
        if (next) return next();
        line.held -= 1;
        if (line.held === 0) lines.delete(key);
      };
      if (line.held < atOnce) {
        line.held += 1;
        return Promise.resolve(giveBack);
      }
      if (line.waiting.length >= mostWaiting) return Promise.reject(new QueueTooLong());
      return new Promise((resolve) => line.waiting.push(() => resolve(giveBack)));
    },
  };
}
