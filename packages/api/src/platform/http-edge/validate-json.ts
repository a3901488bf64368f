/** A form of ours nests about ten deep. */
const DEEPEST = 100;
/** The longest input names a hundred thousand contacts and leaves out as many. */
const MOST_PARTS = 250_000;
const STEP_BYTES = 512 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/**
 * Whether JSON may be parsed at all: a parser takes whole seconds for megabytes of brackets, and nobody else is answered
 * meanwhile. Looks at each byte once and lets others come in between; what is no JSON is left to the parser.
 */
export async function isPlainJson(bytes: Uint8Array): Promise<boolean> {
  let depth = 0;
  let parts = 0;
  let inText = false;
  let place = 0;
  while (place < bytes.length) {
    if (place > 0) await new Promise((resolve) => setImmediate(resolve));
    const end = Math.min(bytes.length, place + STEP_BYTES);
    for (; place < end; place += 1) {
      const byte = bytes[place] ?? 0;
      if (inText) {
        if (byte === BACKSLASH) place += 1;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === COMMA) parts += 1;
      else if (isOpening(byte)) {
        parts += 1;
        depth += 1;
        if (depth > DEEPEST) return false;
      } else if (isClosing(byte)) depth -= 1;
    }
    if (parts > MOST_PARTS) return false;
  }
  return true;
}
