export type ArrayItem = string | number | boolean | null;

/**
 * An array as PostgreSQL reads it. The driver would run two replacements over every element, also over numbers; for a batch of a
 * thousand recipients with ten columns that is a good part of what settling costs. Nothing is made per element where it can be
 * helped: most columns of a batch hold one value over and over, or plain texts.
 */
export function writeArray(items: readonly ArrayItem[]): string {
  if (items.length === 0) return '{}';
  const first = items[0] ?? null;
  if (items.every((item) => item === first)) {
    const text = writeItem(first);
    return `{${`${text},`.repeat(items.length - 1)}${text}}`;
  }
  if (items.every((item) => typeof item === 'number')) return `{${items.join(',')}}`;
  if (items.every((item) => typeof item === 'string' && !needsCare.test(item)))
    return `{"${items.join('","')}"}`;
  return `{${items.map(writeItem).join(',')}}`;
}

const needsCare = /["\\\0]/;

function writeItem(item: ArrayItem): string {
  if (item === null) return 'NULL';
  return typeof item === 'string' ? writeText(item) : String(item);
}

/** PostgreSQL has no place for NUL in a text: one in the words of a refusal must not keep the outcomes of others from being stored. */
function writeText(text: string): string {
  return `"${needsCare.test(text) ? text.replaceAll('\0', '').replace(/["\\]/g, '\\$&') : text}"`;
}
