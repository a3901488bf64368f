/**
 * Numbers in [0, 1) that depend only on the seed and the two keys, so an outcome does not change when
 * concurrent sends arrive in another order.
 */
export function seededRandom(seed: number, key: number, turn: number): () => number {
  let state = mix(mix(mix(seed, key >>> 0), Math.floor(key / 0x1_0000_0000)), turn);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** A 32-bit mix of two 32-bit numbers. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ (b + 0x9e3779b9), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}

/** A 53-bit number for a string; two different strings share one only by a chance of about 1 in 10^16. */
export function hashText(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 0x1_0000_0000 * (2097151 & high) + (low >>> 0);
}
