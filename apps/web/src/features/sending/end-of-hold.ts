/** A start as its answer tells of it: until when by the server's clock, and for how long from the answer on. */
export type Held = { campaignId: string; heldUntil: string | null; heldForMs: number | null };

/** What came of each hold, under its campaign and its time on the server. */
const ends = new Map<string, number>();

/**
 * When a hold is over on this device, whatever the time is here: counted from the moment its answer came. What is told of it again counts only where it ends
 * earlier: a kept answer, or one that something else was written into, says what was left when it was new.
 */
export function endOfHold({ campaignId, heldUntil, heldForMs }: Held, cameAt = Date.now()): number {
  if (heldUntil === null || heldForMs === null) return 0;
  const hold = `${campaignId} ${heldUntil}`;
  const end = Math.min(cameAt + heldForMs, ends.get(hold) ?? Infinity);
  ends.set(hold, end);
  return end;
}
