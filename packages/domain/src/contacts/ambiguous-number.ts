/**
 * How a number without plus or 00 is read that can be one of the home country and, with its first digits as a country code, one of
 * another country too.
 */
export const twofoldReadings = ['international', 'home'] as const;
export type AmbiguousReading = (typeof twofoldReadings)[number];

/** The same figures as two people's numbers. */
export type AmbiguousNumber = { written: string; home: string; international: string };

/** Whether it is worth asking: it has neither plus nor zero before it, and is as long as a number with a country code. */
export function mayBeAmbiguous(written: string): boolean {
  return (
    /^['’]?\s*[1-9][\d\s().\-/]*$/.test(written.trim()) &&
    written.replaceAll(/\D/g, '').length >= LEAST_DIGITS
  );
}

const LEAST_DIGITS = 9;
