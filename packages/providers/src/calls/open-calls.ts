export type OpenCall = {
  /** Ends the call when it is late at `now`, by `performance.now()`. */
  endIfLate(now: number): void;
};

/**
 * The calls of one transport that are not over yet. One look now and then ends those that take too long: timers of each call (and
 * of each part of it) would be set and cleared for nothing, thousands of times a second, and lie about as garbage.
 */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  get count(): number {
    return this.#calls.size;
  }

  add(call: OpenCall): void {
    this.#calls.add(call);
    // The connections keep the process alive, not this.
    this.#timer ??= setInterval(() => this.#look(), this.#everyMs).unref();
  }

  delete(call: OpenCall): void {
    this.#calls.delete(call);
  }

  #look(): void {
    const now = performance.now();
    for (const call of this.#calls) call.endIfLate(now);
    if (this.#calls.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
