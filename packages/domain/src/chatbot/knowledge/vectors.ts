/** A vector of length one, a byte for each dimension: a two-hundredth off, and a quarter of the room. */
export function packVector(vector: readonly number[]): Uint8Array {
  const length = Math.hypot(...vector) || 1;
  return Uint8Array.from(vector, (value) => 128 + Math.round((value / length) * 127));
}

/** How close two packed vectors are, between -1 and 1; 0 for vectors of two models. */
export function compareVectors(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 0;
  let sum = 0;
  for (let place = 0; place < one.length; place += 1) sum += (one[place]! - 128) * (other[place]! - 128); // both have it
  return sum / (127 * 127);
}

const RANK_CONSTANT = 60;

/** Joins lists that are ordered in different ways: what stands high in both comes first (reciprocal rank fusion). */
export function joinRanks(lists: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const list of lists)
    for (const [place, id] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_CONSTANT + place));
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
}
