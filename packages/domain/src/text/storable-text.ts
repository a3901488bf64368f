/** False for text with NUL or half a surrogate pair: PostgreSQL stores neither. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The path of every text inside a JSON value that cannot be stored; the key itself when a key cannot. */
export function findUnstorableText(value: unknown): string[][] {
  const found: string[][] = [];
  collect(value, [], found);
  return found;
}

function collect(value: unknown, path: string[], found: string[][]): void {
  if (typeof value === 'string') {
    if (!isStorableText(value)) found.push(path);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      if (isStorableText(key)) collect(part, [...path, key], found);
      else found.push(path);
    }
  }
}
