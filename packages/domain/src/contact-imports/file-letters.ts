export type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Stands before a line whose letters cannot be read. No text has it: it is no character (Unicode, noncharacters). */
export const UNREADABLE = '\ufffe';

/** How much of a file tells. */
const LOOKED_AT = 512;

/** The Unicode that a file says it is: by its mark, or by every second byte being none. Null for all others. */
export function guessUnicode(start: Uint8Array): Unicode | null {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const looked = start.subarray(0, LOOKED_AT);
  const countNuls = (parity: number) =>
    looked.filter((byte, at) => byte === 0 && at % 2 === parity).length / (looked.length / 2);
  const [even, odd] = [countNuls(0), countNuls(1)];
  if (looked.length < 8 || Math.min(even, odd) > 0.1) return null;
  return odd > 0.6 ? 'utf-16le' : even > 0.6 ? 'utf-16be' : null;
}
