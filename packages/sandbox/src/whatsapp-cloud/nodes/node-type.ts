import { isObject, listOf, type JsonObject } from '../../core/json.ts';
import { GraphError } from '../errors.ts';
import { readFields, type FieldRequest } from '../field-request.ts';
import { pageOf, type PageQuery } from '../node-answers.ts';
import type { Platform } from '../platform.ts';

export interface NodeContext {
  platform: Platform;
  origin: string;
  /** The address of this call, for the absolute `next`. */
  url: string;
}

export interface Asked extends NodeContext {
  values: Record<string, string>;
  inner: FieldRequest[] | undefined;
}

/** What a kind of node can be asked for. A field that is not listed does not exist. */
export interface NodeType<T> {
  /** As the platform calls it in its errors. */
  name: string;
  /** Without `fields` the answer holds these. */
  usual: readonly string[];
  /** undefined and null are left out of the answer. */
  fields: Record<string, (node: T, asked: Asked) => unknown>;
}

export function showNode<T>(
  type: NodeType<T>,
  node: T,
  fields: string | FieldRequest[] | undefined,
  context: NodeContext,
): JsonObject {
  const asked = typeof fields === 'string' ? readFields(fields) : fields;
  const requests = asked?.length ? asked : type.usual.map((name) => ({ name, values: {}, inner: undefined }));
  const answer: JsonObject = {};
  for (const { name, values, inner } of requests) {
    if (!Object.hasOwn(type.fields, name)) throw unknownField(name, type.name);
    const value = type.fields[name]?.(node, { ...context, values, inner });
    if (value !== undefined && value !== null) answer[name] = narrowed(value, inner);
  }
  const id = type.fields['id']?.(node, { ...context, values: {}, inner: undefined });
  if (id !== undefined) answer['id'] = id;
  return answer;
}

export function unknownField(name: string, nodeType: string): GraphError {
  return new GraphError(100, {
    message: `(#100) Tried accessing nonexisting field (${name}) on node type (${nodeType})`,
  });
}

/** One page of an edge, each item with the asked fields. */
export function showEdge<T>(
  type: NodeType<T>,
  items: readonly T[],
  query: Partial<PageQuery> & { fields?: string | FieldRequest[] | undefined },
  context: NodeContext,
): JsonObject {
  const shown = items.map((item) => showNode(type, item, query.fields, context));
  return pageOf(shown, { url: context.url, ...query });
}

/** The same edge asked for as a field of its node: `phone_numbers.limit(2){id}`. */
export function edgeField<T, Item>(
  type: NodeType<Item>,
  itemsOf: (node: T, platform: Platform) => readonly Item[],
): (node: T, asked: Asked) => JsonObject {
  return (node, asked) =>
    showEdge(type, itemsOf(node, asked.platform), { ...asked.values, fields: asked.inner, url: null }, asked);
}

/** `throughput{level}`: a part of a plain object. */
function narrowed(value: unknown, inner: FieldRequest[] | undefined): unknown {
  if (!inner?.length || !isObject(value) || listOf(value['data']).length > 0) return value;
  const names = new Set(inner.map(({ name }) => name));
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}
