/** False for text with NUL or half a surrogate pair: PostgreSQL stores neither. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** As it can be stored: NUL and half surrogate pairs become the replacement character. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** JSON whose texts can be stored: what stands for NUL or half a surrogate pair stands for the replacement character. */
export function storableEscapes(json: string): string {
  return unstorableEscape.test(json) ? json.replace(escapes, replaceUnstorable) : json;
}

const unstorableEscape =
  /\\u(?:0000|[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..\\u)[dD][c-fC-F])/;
const escapes = /\\(?:\\|u0000|u[dD][89abAB]..\\u[dD][c-fC-F]..|u[dD][89a-fA-F]..)/g;

/** An escaped backslash and a whole pair stay; what is left of the matches cannot be stored. */
function replaceUnstorable(escape: string): string {
  return escape.length === 2 || escape.length === 12 ? escape : '\\ufffd';
}

type Place = { value: unknown; key: string; parent: Place | undefined };

/**
 * The path of every text inside a JSON value that cannot be stored; the key itself when a key cannot.
 * Values may be nested as deep as their sender likes, so it calls nothing once more for each level.
 */
export function findUnstorableText(value: unknown): string[][] {
  const found: string[][] = [];
  const open: Place[] = [{ value, key: '', parent: undefined }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value: part } = place;
    if (typeof part === 'string') {
      if (!isStorableText(part)) found.push(pathOf(place));
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, inner] of Object.entries(part).reverse()) {
        if (isStorableText(key)) open.push({ value: inner, key, parent: place });
        else found.push(pathOf(place));
      }
    }
  }
  return found;
}

function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.parent; at = at.parent) path.push(at.key);
  return path.reverse();
}
