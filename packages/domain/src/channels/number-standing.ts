/** How people who were written to find what comes from a number or a template, as the platform says. */
export const qualities = ['green', 'yellow', 'red', 'unknown'] as const;
export type Quality = (typeof qualities)[number];
/** Qualities of which something is to be done. */
export const poorQualities = ['yellow', 'red'] as const;
export type PoorQuality = (typeof poorQualities)[number];

/** Whether the platform lets a number send, with all that it stands on. */
export const numberHealths = ['available', 'limited', 'blocked'] as const;
export type NumberHealth = (typeof numberHealths)[number];

/** What the platform said last of a number. */
export type NumberStanding = {
  quality: Quality;
  /** Null as long as the platform did not say. */
  health: NumberHealth | null;
  /** In the platform's words, small letters. */
  status: string | null;
  /** How many people a day may be written to first. */
  peopleADay: number | 'unlimited' | null;
};

/** What is older is asked for anew, while messages leave. */
export const STANDING_MINUTES = 10;

/** The quality, when it is worse than the one that was known; what nobody knew yet counts as good. */
export function qualityDrop(before: Quality | null, now: Quality): PoorQuality | null {
  if (now !== 'yellow' && now !== 'red') return null;
  return rankOf(now) > rankOf(before) ? now : null;
}

/** The same for health. */
export function healthDrop(
  before: NumberHealth | null,
  now: NumberHealth | null,
): Exclude<NumberHealth, 'available'> | null {
  if (now !== 'limited' && now !== 'blocked') return null;
  return numberHealths.indexOf(now) > numberHealths.indexOf(before ?? 'available') ? now : null;
}

/** A platform's word for a quality, in whichever letters. */
export function readQuality(word: string): Quality {
  const small = word.toLowerCase();
  return qualities.find((known) => known === small) ?? 'unknown';
}

function rankOf(quality: Quality | null): number {
  return quality === 'red' ? 2 : quality === 'yellow' ? 1 : 0;
}
