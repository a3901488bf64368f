/** What stands in place of what was taken out. */
const MASKS: readonly [pattern: RegExp, mask: string][] = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu, '[email]'],
  // IBAN: two letters, two digits, and up to 30 more in groups.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g, '[account]'],
  // Cards and phone numbers, with the separators that people write.
  [/\b(?:\d[ -]?){13,19}\b/g, '[card]'],
  [/(?:\+|\b00)\d(?:[ ()./-]{0,2}\d){7,14}\b/g, '[phone]'],
  [/\b0\d(?:[ ()./-]{0,2}\d){7,12}\b/g, '[phone]'],
];

/** Takes e-mail addresses, phone numbers, cards and accounts out of a text. Names and order numbers stay: the answer needs them. */
export function maskPersonalData(text: string): string {
  return MASKS.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text);
}
