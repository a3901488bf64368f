export type Rest = {
  /** Waits for so many milliseconds, or until `end`. */
  take(ms: number): Promise<void>;
  /** Ends the rest that is taken now; without one, the next is left out: what ended it is looked for first. */
  end(): void;
};

/** The pauses of an engine between rounds of work for which nobody waits. */
export function createRest(stopping: AbortSignal): Rest {
  let wake: (() => void) | undefined;
  let isNextLeftOut = false;
  stopping.addEventListener('abort', () => wake?.(), { once: true });
  return {
    async take(ms) {
      if (isNextLeftOut || stopping.aborted) {
        isNextLeftOut = false;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      wake = resolve;
      await promise;
      clearTimeout(timer);
      wake = undefined;
    },
    end() {
      if (wake) wake();
      else isNextLeftOut = true;
    },
  };
}
