import { isUuid } from '@app/domain/uuid';
import { isStorableText } from '@app/domain/text/storable-text';

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-](0\d|1[0-4])(:[0-5]\d)?)$/;
const LARGEST_INTEGER = 2 ** 31 - 1;

/** A cursor is the sort key and id of the last row of a page, opaque to callers. */
export function writeCursor(key: string, id: string): string {
  return encodeBase64Url(JSON.stringify([key, id]));
}

/** Null for a cursor that was not made here; the list then begins at its start. `id` is a UUID. */
export function readCursor(cursor: string | undefined): { key: string; id: string } | null {
  const place = parseCursor(cursor);
  return place && isUuid(place.id) && isStorableText(place.key) ? place : null;
}

/** A cursor whose key is an instant that PostgreSQL reads; `-infinity` stands for one that is missing. */
export function readTimeCursor(cursor: string | undefined): { key: string; id: string } | null {
  const place = readCursor(cursor);
  return place && (place.key === '-infinity' || isInstant(place.key)) ? place : null;
}

/** An instant of a row as a cursor holds it: two of one millisecond would tie if it were cut to JavaScript's precision. */
export function timeKey(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** The number that a list counted with `writeCursor(String(number), '')` goes on after. */
export function readNumberCursor(cursor: string | undefined): number | null {
  const { key } = parseCursor(cursor) ?? { key: '' };
  return /^\d{1,10}$/.test(key) && Number(key) <= LARGEST_INTEGER ? Number(key) : null;
}

/** Cuts a page out of one row more than asked for; the extra row tells that there is a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => { key: string; id: string },
): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || !last) return { items, nextCursor: null };
  const { key, id } = keyOf(last);
  return { items, nextCursor: writeCursor(key, id) };
}

function encodeBase64Url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decodeBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}

function parseCursor(cursor: string | undefined): { key: string; id: string } | null {
  if (!cursor) return null;
  try {
    const [key, id] = JSON.parse(decodeBase64Url(cursor));
    return typeof key === 'string' && typeof id === 'string' ? { key, id } : null;
  } catch {
    return null;
  }
}

/** Also false for a day like 31 February, which PostgreSQL refuses. */
function isInstant(text: string): boolean {
  const day = INSTANT.exec(text)?.[1];
  if (!day || day < '0001') return false;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
