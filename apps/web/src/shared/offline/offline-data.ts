import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import {
  ignoreOfflineCopy,
  nameOwner,
  readOfflineCopy,
  saveOfflineCopy,
  type OfflineOwner,
} from './offline-copy.ts';

export type OfflineParts = {
  /** Undefined when nobody is signed in any more. */
  readOwner(): OfflineOwner | undefined;
  /** Names this build of the web: data of another one may have another shape. */
  build: string;
  /** Milliseconds between two saves. */
  pace?: number;
};

type KeptQuery = { key: QueryKey; data: unknown; updatedAt: Date };

/** The figures and lists that stay readable. Settings here are those that every page shows: the connection. */
const keptPaths: ReadonlySet<string> = new Set([
  ...['activity.getSummary', 'channels.list', 'dashboard.getHealth', 'dashboard.getOverview'],
  ...['dashboard.getAttention', 'dashboard.getGettingStarted'],
  ...['campaigns.list', 'campaigns.summarize'],
  ...['contacts.list', 'contacts.listTags', 'contacts.summarize', 'contactLayout.get', 'customFields.list'],
  ...['conversations.list', 'conversations.count'],
  ...['templates.list', 'templates.summarize'],
]);
/** A list that was searched or filtered is not kept. */
const plainInputs: ReadonlySet<string> = new Set(['limit', 'order', 'sort', 'timeZone', 'together']);
/** What each cache of server data has from the last visit. */
export const keptFor = new WeakMap<QueryClient, ReadonlyMap<string, KeptQuery>>();
const SAVE_EVERY_MS = 3_000;
/** Browsers give an origin five million; the rest is left to others. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Fills queries with what the last visit saw as soon as a page asks for them, stale so that they are read anew at once,
 * and saves what pages see now. The answer ends it.
 */
export function keepOfflineData(queryClient: QueryClient, parts: OfflineParts): () => void {
  const { readOwner, build, pace = SAVE_EVERY_MS } = parts;
  let owner = readOwner();
  const kept = new Map<string, KeptQuery>();
  keptFor.set(queryClient, kept);
  if (owner) for (const query of readKept(owner, build)) kept.set(hashOf(queryClient, query.key), query);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRestoring = false;

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const now = readOwner();
    owner ??= now;
    // Whoever signed out, or in as somebody else, leaves nothing of this memory behind.
    if (!owner || !isSame(owner, now)) return kept.clear();
    saveOfflineCopy('data', describe(owner, build, kept.values()), nameOwner(owner));
  }

  function note(query: Query): void {
    if (!isKept(query.queryKey)) return;
    kept.set(query.queryHash, {
      key: query.queryKey,
      data: withoutCustomFields(firstPage(query.state.data)),
      updatedAt: new Date(),
    });
    timer ??= setTimeout(save, pace);
  }

  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'added' && event.query.state.data === undefined) {
      const known = kept.get(event.query.queryHash);
      if (!known) return;
      isRestoring = true;
      event.query.setData(known.data, { updatedAt: 0, manual: true });
      isRestoring = false;
    } else if (event.type === 'updated' && event.action.type === 'success' && !isRestoring) {
      note(event.query);
    }
  });
  const saveNow = () => {
    if (timer) save();
  };
  globalThis.addEventListener?.('pagehide', saveNow);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    globalThis.removeEventListener?.('pagehide', saveNow);
  };
}

/** Whether a query's result is saved: one of the kept lists and figures, neither searched nor filtered. */
export function isKept(key: QueryKey): boolean {
  const [path, options] = key;
  if (!Array.isArray(path) || !keptPaths.has(path.join('.'))) return false;
  const input = isObject(options) && isObject(options['input']) ? options['input'] : {};
  return Object.entries(input).every(([name, value]) => value === undefined || plainInputs.has(name));
}

function describe(owner: OfflineOwner, build: string, queries: Iterable<KeptQuery>): unknown {
  let room = MOST_CHARACTERS;
  const newestFirst = [...queries].sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
  return {
    owner,
    build,
    queries: newestFirst.filter((query) => (room -= JSON.stringify(query).length) >= 0),
  };
}

function readKept(owner: OfflineOwner, build: string): KeptQuery[] {
  const saved = readOfflineCopy('data', nameOwner(owner));
  if (saved === undefined) return [];
  if (!isObject(saved) || !isOwner(saved['owner']) || !Array.isArray(saved['queries'])) {
    ignoreOfflineCopy('data', 'It is not a record of ours.');
    return [];
  }
  if (!isSame(saved['owner'], owner) || saved['build'] !== build) return [];
  const queries = saved['queries'].map(reviveQuery);
  const whole = queries.filter((query) => query !== undefined);
  if (whole.length < queries.length)
    ignoreOfflineCopy('data', `${queries.length - whole.length} parts are damaged.`);
  return whole;
}

/** Dates are text in storage. Undefined for anything that no page could show. */
function reviveQuery(saved: unknown): KeptQuery | undefined {
  if (!isObject(saved)) return undefined;
  const { key, data, updatedAt } = saved;
  const time = new Date(String(updatedAt));
  if (!Array.isArray(key) || !isKept(key) || !isObject(data) || Number.isNaN(time.getTime()))
    return undefined;
  const isList = String(key[0]).endsWith('list');
  const pages = 'pages' in data ? data['pages'] : isList ? [data] : [];
  const isWhole =
    Array.isArray(pages) &&
    pages.every((page) => isObject(page) && (!isList || Array.isArray(page['items'])));
  if (!isWhole) return undefined;
  // JSON made null of "no cursor".
  return { key, data: 'pages' in data ? { pages, pageParams: [undefined] } : data, updatedAt: time };
}

function firstPage(data: unknown): unknown {
  return isObject(data) && Array.isArray(data['pages'])
    ? { pages: data['pages'].slice(0, 1), pageParams: [undefined] }
    : data;
}

/**
 * What a business notes of people in fields of its own may be anything, so it never lies on a device. Rows keep the empty
 * place, so that pages find what they expect.
 */
function withoutCustomFields(data: unknown): unknown {
  return isObject(data) && Array.isArray(data['pages'])
    ? { ...data, pages: data['pages'].map(withoutCustomFieldsOfRows) }
    : withoutCustomFieldsOfRows(data);
}

function withoutCustomFieldsOfRows(page: unknown): unknown {
  if (!isObject(page) || !Array.isArray(page['items'])) return page;
  const items = page['items'].map((row) =>
    isObject(row) && 'customFields' in row ? { ...row, customFields: {} } : row,
  );
  return { ...page, items };
}

function hashOf(queryClient: QueryClient, key: QueryKey): string {
  return queryClient.defaultQueryOptions({ queryKey: key }).queryHash;
}

function isSame(one: OfflineOwner, other: OfflineOwner | undefined): boolean {
  return one.userId === other?.userId && one.workspaceId === other.workspaceId;
}

function isOwner(value: unknown): value is OfflineOwner {
  return isObject(value) && typeof value['userId'] === 'string' && typeof value['workspaceId'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
