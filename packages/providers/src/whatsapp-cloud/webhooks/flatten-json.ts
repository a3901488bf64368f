/**
 * JSON text in which everything nested deeper than `depth` stands as text, so that neither a parser nor a database runs out of stack and
 * nothing is lost. Text that is not nested that deep comes back as it is; what is no JSON stays none, and none when it does not end, so that
 * no parser goes through all of it to find that out. Null when more than `most` parts would be left to parse.
 */
export function flattenJson(text: string, depth: number, most: number): string | null {
  let level = 0;
  let parts = 0;
  let deepStart = -1;
  let copied = 0;
  const pieces: string[] = [];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) {
      place = endOfText(text, place);
    } else if (code === OPEN_LIST || code === OPEN_RECORD) {
      level += 1;
      if (level <= depth) parts += 1;
      if (level === depth + 1) deepStart = place;
    } else if (code === COMMA) {
      if (level <= depth) parts += 1;
    } else if (code === CLOSE_LIST || code === CLOSE_RECORD) {
      if (level === depth + 1) {
        pieces.push(text.slice(copied, deepStart), JSON.stringify(text.slice(deepStart, place + 1)));
        copied = place + 1;
      }
      level -= 1;
    }
  }
  if (level > 0) return '';
  if (parts > most) return null;
  return copied === 0 ? text : pieces.join('') + text.slice(copied);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

/** The place of the quote that closes the text which opens here. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, place: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(place - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
