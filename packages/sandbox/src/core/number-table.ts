/** Number to number, 16 bytes a slot: a Map of a million phone numbers would take five times the memory. */
export class NumberTable {
  size = 0;
  #keys: Float64Array;
  #values: Float64Array;
  #mask: number;

  constructor(capacity = 1024) {
    this.#keys = new Float64Array(capacity).fill(-1);
    this.#values = new Float64Array(capacity);
    this.#mask = capacity - 1;
  }

  get(key: number): number | undefined {
    const slot = this.#slotOf(key);
    return this.#keys[slot] === key ? this.#values[slot] : undefined;
  }

  set(key: number, value: number): void {
    let slot = this.#slotOf(key);
    if (this.#keys[slot] !== key) {
      if (this.size * 2 >= this.#keys.length) {
        this.#grow();
        slot = this.#slotOf(key);
      }
      this.#keys[slot] = key;
      this.size++;
    }
    this.#values[slot] = value;
  }

  /** Adds one and returns the new count. */
  increment(key: number): number {
    const next = (this.get(key) ?? 0) + 1;
    this.set(key, next);
    return next;
  }

  #slotOf(key: number): number {
    let hash = Math.imul((key >>> 0) ^ Math.imul(Math.floor(key / 0x1_0000_0000), 0x27d4eb2f), 0x9e3779b1);
    hash ^= hash >>> 15;
    let slot = hash & this.#mask;
    while (this.#keys[slot] !== -1 && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Float64Array(keys.length * 2).fill(-1);
    this.#values = new Float64Array(keys.length * 2);
    this.#mask = this.#keys.length - 1;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? -1;
      if (key === -1) continue;
      const slot = this.#slotOf(key);
      this.#keys[slot] = key;
      this.#values[slot] = values[i] ?? 0;
    }
  }
}
