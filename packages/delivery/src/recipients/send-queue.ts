import type { SendItem } from './run-work.ts';

/**
 * Claimed recipients in the order in which they leave. A ring of fixed size: it holds `capacity` items at most and forgets each
 * one as it leaves, so that its memory does not depend on the audience or on whether it is ever empty.
 */
export class SendQueue {
  readonly #ring: (SendItem | undefined)[];
  #head = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#ring = Array.from({ length: capacity }, () => undefined);
  }

  get length(): number {
    return this.#length;
  }

  push(item: SendItem): void {
    if (this.#length === this.#ring.length) throw new Error('More recipients were claimed than may wait');
    this.#ring[(this.#head + this.#length) % this.#ring.length] = item;
    this.#length += 1;
  }

  take(): SendItem | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#ring[this.#head];
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#ring.length;
    this.#length -= 1;
    return item;
  }

  /** Takes out the items of one run, or all of them. */
  takeAll(run?: SendItem['run']): SendItem[] {
    const taken: SendItem[] = [];
    for (let left = this.#length; left > 0; left -= 1) {
      const item = this.take();
      if (item === undefined) break;
      if (run === undefined || item.run === run) taken.push(item);
      else this.push(item);
    }
    return taken;
  }

  clear(): void {
    this.#ring.fill(undefined);
    this.#length = 0;
  }
}
