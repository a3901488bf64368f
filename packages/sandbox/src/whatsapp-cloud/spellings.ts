/**
 * Under which id the platform knows a number that is dialled otherwise: Brazilian accounts without the ninth digit, Mexican ones with the 1, Argentine ones
 * with the 9, those of Ivory Coast and Benin as before the change of their numbers. The answer to a send, statuses and replies name this one.
 */
const rules: readonly { country: string; dialled: RegExp; id: string }[] = [
  { country: '55', dialled: /^55(\d\d)9([6-9]\d{7})$/, id: '55$1$2' },
  { country: '52', dialled: /^52(\d{10})$/, id: '521$1' },
  { country: '54', dialled: /^54(\d{10})$/, id: '549$1' },
  { country: '225', dialled: /^225(?:01(\d[0-3]\d{6})|05(\d[4-6]\d{6})|07(\d[7-9]\d{6}))$/, id: '225$1$2$3' },
  { country: '229', dialled: /^22901(\d{8})$/, id: '229$1' },
];

/** What `otherSpellings` has unless it is set otherwise. */
export const spellingCountries: readonly string[] = rules.map(({ country }) => country);

/** `ranges` are the first digits of numbers that have another id; any other address is its own. */
export function spellAsPlatform(digits: string, ranges: readonly string[]): string {
  if (!ranges.some((range) => digits.startsWith(range))) return digits;
  const rule = rules.find(({ dialled }) => dialled.test(digits));
  return rule ? digits.replace(rule.dialled, rule.id) : digits;
}
