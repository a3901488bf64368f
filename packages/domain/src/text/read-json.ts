/**
 * As `JSON.parse`, but a whole number that is too large to be exact stays as it is written, as a text: ids of some services have 17 digits and more,
 * and a rounded one is the id of something else. A byte order mark before it is none of it.
 */
export function readJson(written: string): unknown {
  const text = written.startsWith('\ufeff') ? written.slice(1) : written;
  return /\d{16}/.test(text) ? JSON.parse(text, keepLongNumber) : JSON.parse(text);
}

function keepLongNumber(_key: string, value: unknown, written?: { source?: string }): unknown {
  const source = written?.source;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
}
