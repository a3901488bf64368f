/** PostgreSQL stores neither NUL nor half surrogate pairs; both become the replacement character. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** JSON text of any value that a jsonb column takes. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? storableText(part) : part)) ?? 'null';
}
