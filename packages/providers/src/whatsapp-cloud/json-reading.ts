import { storableEscapes } from '@app/domain/text/storable-text';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text as it is, numbers in decimal: the vendor writes the same id as either. Null for all else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** An id of the platform: text or a number, and short enough to be one. */
export function idOf(value: unknown): string | null {
  const id = textOf(value);
  return id === null || id === '' || id.length > LONGEST_ID ? null : id;
}

const LONGEST_ID = 255;

export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What is left of a record without these keys, or undefined when nothing is. */
export function restOf(record: JsonRecord, known: readonly string[]): JsonRecord | undefined {
  // Of most records nothing is left.
  const rest = Object.keys(record).filter((key) => !known.includes(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest.map((key) => [key, record[key]]));
}

/**
 * Parses JSON, keeps numbers that a number cannot hold as text, and puts U+FFFD for NUL and half surrogate pairs, which
 * no database text can hold. Undefined when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  const storable = storableEscapes(text);
  try {
    return longNumber.test(storable) ? JSON.parse(storable, keepLongNumber) : JSON.parse(storable);
  } catch {
    return undefined;
  }
}

const longNumber = /[:[,]\s*-?(?:\d{16}|[\d.]{1,30}[eE]\+?\d{3})/;
function keepLongNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && (!Number.isFinite(value) || /^-?\d+$/.test(source)) ? source : value;
}
