export type ArrayItem = string | number | boolean | null;

/**
 * An array as PostgreSQL reads it. The driver would run two replacements over every element, also over numbers; for a batch of a
 * thousand recipients with ten columns that is a good part of what settling costs.
 */
export function writeArray(items: readonly ArrayItem[]): string {
  let text = '{';
  for (const [place, item] of items.entries()) {
    if (place > 0) text += ',';
    if (item === null) text += 'NULL';
    else if (typeof item === 'string') text += writeText(item);
    else text += String(item);
  }
  return text + '}';
}

/** PostgreSQL has no place for NUL in a text: one in the words of a refusal must not keep the outcomes of others from being stored. */
function writeText(text: string): string {
  const isPlain = !text.includes('"') && !text.includes('\\') && !text.includes('\0');
  return `"${isPlain ? text : text.replaceAll('\0', '').replace(/["\\]/g, '\\$&')}"`;
}
