import type { SendItem } from './run-work.ts';

/** Claimed recipients in the order in which they leave. */
export class SendQueue {
  #items: SendItem[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: SendItem): void {
    this.#items.push(item);
  }

  take(): SendItem | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head === this.#items.length) this.clear();
    return item;
  }

  /** Takes out the items of one run, or all of them. */
  takeAll(run?: SendItem['run']): SendItem[] {
    const items = this.#items.slice(this.#head);
    this.#head = 0;
    this.#items = run ? items.filter((item) => item.run !== run) : [];
    return run ? items.filter((item) => item.run === run) : items;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
