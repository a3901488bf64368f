/** The last `limit` things, oldest dropped first, in flat memory. */
export class RecentList<T> {
  total = 0;
  readonly #limit: number;
  #items: (T | undefined)[];

  constructor(limit: number) {
    this.#limit = limit;
    this.#items = new Array<T | undefined>(limit);
  }

  add(item: T): void {
    this.#items[this.total % this.#limit] = item;
    this.total++;
  }

  /** Newest first. */
  *newestFirst(): Generator<T> {
    for (let i = this.total - 1; i >= Math.max(0, this.total - this.#limit); i--) {
      const item = this.#items[i % this.#limit];
      if (item !== undefined) yield item;
    }
  }

  find(matches: (item: T) => boolean): T | undefined {
    for (const item of this.newestFirst()) if (matches(item)) return item;
    return undefined;
  }

  clear(): void {
    this.total = 0;
    this.#items = new Array<T | undefined>(this.#limit);
  }
}
