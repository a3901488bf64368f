/** So long after the last person the engine still makes room. */
const NEAR_MS = 5_000;
/** How many times as long as the work the rest is: while people write, and while they do not. */
const REST_NEAR_PEOPLE = 4;
const REST_ALONE = 1;
/** On a machine that is busy with other things the work takes long, and so would the rest. */
const LONGEST_REST_MS = 2_000;

export type Rest = {
  /** Rests after work of so many milliseconds, for as long as people nearby ask for, or until one comes. */
  after(workMs: number): Promise<void>;
  /** A person waits: ends the rest that is taken now; without one, the next is left out, so that the person is looked for first. */
  personCame(): void;
  /** A person was served just now, or writes to somebody. */
  personIsNear(): void;
  /** Whether people write: who comes next finds the engine sooner between small batches. */
  isNearPeople(): boolean;
};

/** The pauses of an engine between rounds of work for which nobody waits. `now` is in milliseconds. */
export function createRest(stopping: AbortSignal, now: () => number = () => performance.now()): Rest {
  let wake: (() => void) | undefined;
  let isNextLeftOut = false;
  let personAt = -Infinity;
  stopping.addEventListener('abort', () => wake?.(), { once: true });
  const isNearPeople = () => now() - personAt < NEAR_MS;
  return {
    isNearPeople,
    async after(workMs) {
      if (isNextLeftOut || stopping.aborted) {
        isNextLeftOut = false;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const times = isNearPeople() ? REST_NEAR_PEOPLE : REST_ALONE;
      const timer = setTimeout(resolve, Math.min(workMs * times, LONGEST_REST_MS));
      wake = resolve;
      await promise;
      clearTimeout(timer);
      wake = undefined;
    },
    personCame() {
      personAt = now();
      if (wake) wake();
      else isNextLeftOut = true;
    },
    personIsNear() {
      personAt = now();
    },
  };
}
