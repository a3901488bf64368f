/**
 * Whether a number is written without + or 00 before it: of which country it is nothing says but its first digits, which may as well be
 * those of a number at home.
 */
export function lacksCode(written: string): boolean {
  const number = written.trim().replace(/^['’]?\s*(?:tel:\s*)?/i, '');
  return (
    /^\(?\d[\d\s().\-/]*$/.test(number) &&
    !number.startsWith('00') &&
    number.replaceAll(/\D/g, '').length >= LEAST_DIGITS
  );
}

/** Shorter ones are no country's, and fail whatever is chosen. */
const LEAST_DIGITS = 6;
