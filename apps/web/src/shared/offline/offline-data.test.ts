import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nameOwner, readOfflineCopy, type OfflineOwner } from './offline-copy.ts';
import { isKept, keepOfflineData } from './offline-data.ts';

const ann: OfflineOwner = { userId: 'ann', workspaceId: 'acme' };
const contactsKey = [['contacts', 'list'], { input: { limit: 100, sort: 'newest' }, type: 'infinite' }];
const summaryKey = [['contacts', 'summarize'], { input: {}, type: 'query' }];
const page = (name: string) => ({ items: [{ id: name, name }], nextCursor: 'next' });

let stored: Map<string, string>;
let signedIn: OfflineOwner | undefined;
const endings: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  signedIn = ann;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => {
  for (const end of endings.splice(0)) end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A visit: the query cache of one document, with the offline copy around it. */
function visit(build = 'build 1'): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 15_000, retry: false } } });
  endings.push(keepOfflineData(client, { readOwner: () => signedIn, build }));
  client.mount();
  return client;
}

function seeContacts(client: QueryClient): void {
  client.setQueryData(contactsKey, {
    pages: [page('first'), page('second')],
    pageParams: [undefined, 'next'],
  });
  client.setQueryData(summaryKey, { total: 2 });
  vi.advanceTimersByTime(5_000);
}

/** What a page would paint from at once. */
function ask(client: QueryClient, queryKey: readonly unknown[]): unknown {
  return client.getQueryCache().build(client, { queryKey }).state.data;
}

test('custom fields of contacts never lie on the device', () => {
  const client = visit();
  const rows = { items: [{ id: 'ann', name: 'Ann', customFields: { diet: 'peanuts' } }], nextCursor: null };
  client.setQueryData(contactsKey, { pages: [rows], pageParams: [undefined] });
  client.setQueryData([['contacts', 'list'], { input: {}, type: 'query' }], rows);
  vi.advanceTimersByTime(5_000);
  expect(JSON.stringify([...stored.values()])).toContain('Ann');
  expect(JSON.stringify([...stored.values()])).not.toContain('peanuts');
  expect(ask(visit(), contactsKey)).toMatchObject({
    pages: [{ items: [{ name: 'Ann', customFields: {} }] }],
  });
});

describe('the next visit', () => {
  test('paints from what the last one saw, and reads it anew at once', () => {
    seeContacts(visit());
    const client = visit();
    expect(ask(client, summaryKey)).toEqual({ total: 2 });
    expect(client.getQueryCache().find({ queryKey: summaryKey })?.isStaleByTime(15_000)).toBe(true);
  });

  test('has the first page of a list only', () => {
    seeContacts(visit());
    expect(ask(visit(), contactsKey)).toEqual({ pages: [page('first')], pageParams: [undefined] });
  });

  test.each([
    ['another user', { userId: 'bob', workspaceId: 'acme' }],
    ['another workspace', { userId: 'ann', workspaceId: 'other' }],
    ['nobody', undefined],
  ])('of %s sees nothing of it', (_, owner) => {
    seeContacts(visit());
    signedIn = owner;
    expect(ask(visit(), summaryKey)).toBeUndefined();
  });

  test('finds what each workspace showed, whichever was seen last', () => {
    seeContacts(visit());
    signedIn = { userId: 'ann', workspaceId: 'other' };
    const other = visit();
    other.setQueryData(summaryKey, { total: 7 });
    vi.advanceTimersByTime(5_000);
    expect(ask(visit(), summaryKey)).toEqual({ total: 7 });
    expect(ask(visit(), contactsKey)).toBeUndefined();
    signedIn = ann;
    expect(ask(visit(), summaryKey)).toEqual({ total: 2 });
  });

  test('of a newer build does not meet data of an older shape', () => {
    seeContacts(visit('build 1'));
    expect(ask(visit('build 2'), summaryKey)).toBeUndefined();
  });

  test('paints again after the cache has let go of a query', () => {
    const client = visit();
    seeContacts(client);
    client.removeQueries({ queryKey: summaryKey });
    expect(ask(client, summaryKey)).toEqual({ total: 2 });
  });
});

test('a visit that begins before anybody is known is kept for whoever it turns out to be', () => {
  signedIn = undefined;
  const client = visit();
  signedIn = ann;
  seeContacts(client);
  expect(ask(visit(), summaryKey)).toEqual({ total: 2 });
});

describe('after signing out', () => {
  test('nothing is saved any more', () => {
    const client = visit();
    signedIn = undefined;
    seeContacts(client);
    expect([...stored.keys()]).toEqual([]);
  });

  test('what another person sees in another tab is not overwritten with ours', () => {
    const client = visit();
    signedIn = { userId: 'bob', workspaceId: 'acme' };
    seeContacts(client);
    expect([...stored.keys()]).toEqual([]);
  });
});

describe('damaged data', () => {
  test.each([
    ['no JSON', '{"owner":'],
    ['no record', '[1,2]'],
    ['another shape', '{"owner":"ann","queries":{}}'],
    [
      'a broken part',
      JSON.stringify({
        owner: ann,
        build: 'build 1',
        queries: [{ key: contactsKey, data: { pages: [{ items: 'none' }] }, updatedAt: '2026-01-01' }],
      }),
    ],
    [
      'a broken date',
      JSON.stringify({
        owner: ann,
        build: 'build 1',
        queries: [{ key: summaryKey, data: { total: 1 }, updatedAt: 'soon' }],
      }),
    ],
  ])('with %s is named in the console and ignored', (_, text) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    stored.set(`offline.data.${nameOwner(ann)}`, text);
    const client = visit();
    expect(ask(client, contactsKey)).toBeUndefined();
    expect(ask(client, summaryKey)).toBeUndefined();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('The saved data'), expect.anything());
  });
});

test('the record stays below a million characters, the newest part first', () => {
  const client = visit();
  const long = { text: 'x'.repeat(600_000) };
  client.setQueryData([['dashboard', 'getOverview'], { input: { timeZone: 'UTC' } }], long);
  vi.advanceTimersByTime(10);
  client.setQueryData([['templates', 'summarize'], { input: {} }], long);
  vi.advanceTimersByTime(5_000);
  const { queries } = readOfflineCopy('data', nameOwner(ann)) as { queries: { key: unknown[][] }[] }; // saved two lines above
  expect(queries.map(({ key }) => key[0])).toEqual([['templates', 'summarize']]);
});

test.each([
  [[['contacts', 'list'], { input: { limit: 100, sort: 'newest' } }], true],
  [[['contacts', 'list'], { input: { limit: 100, search: 'ann' } }], false],
  [[['contacts', 'list'], { input: { limit: 100, tag: 'vip' } }], false],
  [[['templates', 'list'], { input: { limit: 24, together: 'yes' } }], true],
  [[['contacts', 'get'], { input: { contactId: '1' } }], false],
  [[['auth', 'getSession'], { input: {} }], false],
  [[['dashboard', 'getOverview'], { input: { timeZone: 'UTC' } }], true],
  [['contacts'], false],
])('keeps %j: %s', (key, expected) => expect(isKept(key)).toBe(expected));
