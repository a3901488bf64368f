/** Arrival times of the last second; `max` is the most that ever lay within one sliding second. */
export class SlidingSecond {
  max = 0;
  #times = new Float64Array(256);
  #head = 0;
  #size = 0;

  /** `now` in milliseconds of a monotonic clock. Returns how many arrivals the second up to now holds. */
  add(now: number): number {
    this.#deleteBefore(now);
    if (this.#size === this.#times.length) this.#grow();
    this.#times[(this.#head + this.#size) % this.#times.length] = now;
    this.#size++;
    if (this.#size > this.max) this.max = this.#size;
    return this.#size;
  }

  count(now: number): number {
    this.#deleteBefore(now);
    return this.#size;
  }

  reset(): void {
    this.max = 0;
    this.#size = 0;
  }

  #deleteBefore(now: number): void {
    while (this.#size > 0 && now - (this.#times[this.#head] ?? 0) >= 1000) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.#size--;
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2);
    for (let i = 0; i < this.#size; i++) larger[i] = this.#times[(this.#head + i) % this.#times.length] ?? 0;
    this.#times = larger;
    this.#head = 0;
  }
}
