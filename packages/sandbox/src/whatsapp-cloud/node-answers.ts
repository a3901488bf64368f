import type { JsonObject } from '../core/json.ts';

/** Only the asked fields, and always the id. Nested selections such as `a{b}` give the whole of `a`. */
export function selectFields(
  node: JsonObject,
  asked: string | undefined,
  usual: readonly string[],
): JsonObject {
  const names = asked
    ? asked
        .replace(/\{[^}]*\}/g, '')
        .split(',')
        .map((name) => name.trim())
    : usual;
  const selected: JsonObject = {};
  for (const name of names) if (node[name] !== undefined && node[name] !== null) selected[name] = node[name];
  if (node['id'] !== undefined) selected['id'] = node['id'];
  return selected;
}

export interface PageQuery {
  limit: string | undefined;
  after: string | undefined;
  before: string | undefined;
  /** The address of this call, for the absolute `next`. */
  url: string;
}

/** One page with opaque cursors; `next` is absent on the last page. */
export function pageOf(items: JsonObject[], query: PageQuery): JsonObject {
  const limit = Math.min(Math.max(1, Number(query.limit ?? 25) || 25), 1000);
  const positionOf = (cursor: string) => {
    const id = Buffer.from(cursor, 'base64url').toString();
    return items.findIndex((item) => `cursor:${String(item['id'])}` === id);
  };
  let start = 0;
  if (query.after) start = positionOf(query.after) + 1;
  else if (query.before) start = Math.max(0, positionOf(query.before) - limit);
  const data = items.slice(start, start + limit);
  const cursorOf = (item: JsonObject | undefined) =>
    Buffer.from(`cursor:${String(item?.['id'])}`).toString('base64url');
  if (data.length === 0) return { data };
  const paging: JsonObject = { cursors: { before: cursorOf(data[0]), after: cursorOf(data.at(-1)) } };
  if (start + limit < items.length) {
    const next = new URL(query.url);
    next.searchParams.delete('access_token');
    next.searchParams.delete('before');
    next.searchParams.set('after', cursorOf(data.at(-1)));
    paging['next'] = next.toString();
  }
  return { data, paging };
}
