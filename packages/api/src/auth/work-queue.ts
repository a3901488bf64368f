export class QueueFull extends Error {
  override name = 'QueueFull';
}

export type WorkQueue = {
  /**
   * Runs `work` when its turn has come; `isFirst` stands before all others, in a row of its own.
   * @throws {QueueFull} at once when too many wait already.
   */
  run<Result>(work: () => Promise<Result>, order?: { isFirst: boolean }): Promise<Result>;
};

/**
 * Lets `limit` pieces of work run at a time. Hashing a password takes a processor core for a while; without a
 * limit a burst of sign-ins would take all of them from everybody else.
 */
export function createWorkQueue(limit: number, longestQueue: number): WorkQueue {
  const first: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  return {
    async run(work, { isFirst } = { isFirst: false }) {
      if (running >= limit) {
        const waiting = isFirst ? first : others;
        if (waiting.length >= longestQueue) throw new QueueFull();
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return await work();
      } finally {
        const next = first.shift() ?? others.shift();
        if (next) next(); // takes over this place, so that nobody slips in between
        else running -= 1;
      }
    },
  };
}
