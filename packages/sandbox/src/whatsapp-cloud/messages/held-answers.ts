type Held = { finish: () => void; since: number; until: number; timer?: NodeJS.Timeout };

/** Answers that wait out the latency. When it is made shorter, those that have waited as long leave at once. */
export class HeldAnswers {
  readonly #held = new Set<Held>();

  hold(milliseconds: number, finish: () => void): void {
    if (milliseconds <= 0) return finish();
    const since = performance.now();
    const held = { finish, since, until: since + milliseconds };
    this.#held.add(held);
    this.#leaveInTime(held);
  }

  /** From here on nobody waits longer than this, counted from the beginning of the wait. */
  shorten(longest: number): void {
    for (const held of this.#held) {
      if (held.since + longest >= held.until) continue;
      held.until = held.since + longest;
      this.#leaveInTime(held);
    }
  }

  #leaveInTime(held: Held): void {
    clearTimeout(held.timer);
    held.timer = setTimeout(
      () => {
        this.#held.delete(held);
        held.finish();
      },
      Math.max(0, held.until - performance.now()),
    );
  }
}
