import { vi } from 'vitest';

const STEP_MS = 50;

/**
 * Lines have seconds of their own from here to `vi.useRealTimers`: what this machine does beside does not count. Timers that are no
 * intervals go on as they are, so that nobody gives up on the database because of a line.
 */
export function startLineClock(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
}

/** The next piece of a line comes after so much of its time. */
export function waitOnLine(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      clearInterval(timer);
      resolve();
    }, milliseconds);
  });
}

/** Lets the lines' time pass until this is answered, and says how much of it did. */
export async function passUntil<Answer>(answer: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const begun = performance.now();
  let isThere = false;
  const mark = () => {
    isThere = true;
  };
  answer.then(mark, mark);
  while (!isThere) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    // Streams and the database settle on the real loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { answer: await answer, ms: performance.now() - begun };
}
