/** What stands in place of what was taken out. */
const MASKS: readonly [pattern: RegExp, mask: string][] = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu, '[email]'],
  // IBAN: two letters, two digits, and up to 30 more in groups.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g, '[account]'],
  // Cards and phone numbers, with the separators that people write. Only a phone number begins with a plus.
  [/(?:\+|\b00)\d(?:[ ()./-]{0,2}\d){7,14}\b/g, '[phone]'],
  [/\b(?:\d[ -]?){13,19}\b/g, '[card]'],
  [/\b0\d(?:[ ()./-]{0,2}\d){7,12}\b/g, '[phone]'],
];

/** Takes e-mail addresses, phone numbers, cards and accounts out of a text. Names and order numbers stay: the answer needs them. */
export function maskPersonalData(text: string): string {
  return MASKS.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text);
}

export type Masker = { mask(text: string): string; unmask(text: string): string };

/**
 * Masks what a model gets and puts the values back into what it wrote, for texts that come back to the one who may read them. The same value has the
 * same mask in all texts of one masker. With `isOn` false texts pass as they are.
 */
export function createMasker(isOn: boolean): Masker {
  if (!isOn) return { mask: (text) => text, unmask: (text) => text };
  const masks = new Map<string, string>();
  const values = new Map<string, string>();
  return {
    mask: (text) =>
      MASKS.reduce(
        (masked, [pattern, mask]) =>
          masked.replace(pattern, (value) => {
            const known = masks.get(value) ?? `${mask.slice(0, -1)} ${masks.size + 1}]`;
            masks.set(value, known);
            values.set(known, value);
            return known;
          }),
        text,
      ),
    unmask: (text) =>
      text.replace(/\[(?:email|account|card|phone) \d{1,4}\]/g, (mask) => values.get(mask) ?? mask),
  };
}
