import { textOf, type JsonObject } from '../core/json.ts';

export interface PageQuery {
  limit?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** The address of this call, for the absolute `next`; null leaves it out. */
  url: string | null;
}

/** One page with opaque cursors; `next` is absent on the last page. */
export function pageOf(items: JsonObject[], query: PageQuery): JsonObject {
  const limit = Math.min(Math.max(1, Number(query.limit ?? 25) || 25), 1000);
  const positionOf = (cursor: string) => {
    const id = Buffer.from(cursor, 'base64url').toString();
    return items.findIndex((item) => cursorText(item) === id);
  };
  let start = 0;
  if (query.after) start = positionOf(query.after) + 1;
  else if (query.before) start = Math.max(0, positionOf(query.before) - limit);
  const data = items.slice(start, start + limit);
  const cursorOf = (item: JsonObject | undefined) => Buffer.from(cursorText(item)).toString('base64url');
  if (data.length === 0) return { data };
  const paging: JsonObject = { cursors: { before: cursorOf(data[0]), after: cursorOf(data.at(-1)) } };
  if (query.url !== null && start + limit < items.length) {
    const next = new URL(query.url);
    next.searchParams.delete('access_token');
    next.searchParams.delete('before');
    next.searchParams.set('after', cursorOf(data.at(-1)));
    paging['next'] = next.toString();
  }
  return { data, paging };
}

/** What tells an item of a list from the others: most have an id. */
function cursorText(item: JsonObject | undefined): string {
  return `cursor:${textOf(item?.['id'] ?? item?.['code'] ?? item?.['wa_id'] ?? item?.['user_id']) ?? ''}`;
}
