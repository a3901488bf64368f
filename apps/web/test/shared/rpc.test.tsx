import { contract } from '@app/contracts/contract';
import { createORPCClient } from '@orpc/client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { afterEach, expect, test, vi } from 'vitest';
import { api, readFailure } from '../../src/shared/api-client.ts';
import { isStep } from '../../src/shared/rpc/rpc-client.ts';
import { createQueryUtils } from '../../src/shared/rpc/query-utils.ts';

afterEach(() => vi.unstubAllGlobals());

/** Answers each request; what was asked is kept. */
function answer(respond: () => Response) {
  const asked: { url: string; method: string; key: string | null; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { url, method, headers } = request;
    asked.push({ url, method, key: headers.get('idempotency-key'), body: await request.json() });
    return respond();
  });
  return asked;
}

test('a call is the request that the server of the contract reads, and its output is what the answer holds', async () => {
  const asked = answer(() => Response.json({ json: { items: [], nextCursor: null } }));
  expect(await api.contacts.list({ search: 'ann', tags: undefined } as never)).toEqual({
    items: [],
    nextCursor: null,
  });
  expect(asked).toEqual([
    {
      url: `${location.origin}/api/rpc/contacts/list`,
      ...{ method: 'POST', key: null, body: { json: { search: 'ann' } } },
    },
  ]);
});

test('what changes something has a key, and a second press of it is the same request', async () => {
  const asked = answer(() => Response.json({ json: { id: '1' } }));
  const form = { name: 'Ann', phone: '+447700900001' };
  const [first, second] = await Promise.all([api.contacts.create(form), api.contacts.create(form)]);
  expect(first).toBe(second);
  expect(asked).toHaveLength(1);
  expect(asked[0]!.key).toMatch(/\S{8}/);
});

test('a refusal keeps its code, values and issues; an answer that is none of ours is an internal error', async () => {
  answer(() =>
    Response.json(
      { error: { code: 'contact_exists', details: { field: 'phone', values: { name: 'Ann' } } } },
      { status: 409 },
    ),
  );
  const failed = await api.contacts.list({}).catch(readFailure);
  expect(failed).toMatchObject({ code: 'contact_exists', field: 'phone', values: { name: 'Ann' } });
  answer(() => new Response('<html>', { status: 502 }));
  expect(await api.contacts.list({}).catch(readFailure)).toMatchObject({ code: 'internal' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  expect(await api.contacts.list({}).catch(readFailure)).toMatchObject({ code: 'offline' });
});

test('the keys of queries are those of the library whose types they have', () => {
  const client = createORPCClient({ call: () => Promise.resolve(null) });
  const [ours, theirs] = [createQueryUtils(client), createTanstackQueryUtils(client)] as unknown as Record<
    string,
    Record<string, Record<string, (options?: object) => { queryKey?: unknown; mutationKey?: unknown }>>
  >[];
  const page = { input: (cursor: unknown) => ({ cursor, search: 'x' }), initialPageParam: null };
  for (const utils of [ours, theirs]) expect(typeof utils!.contacts!.list!.key).toBe('function');
  const keysOf = (utils: typeof ours) => {
    const { list } = utils!.contacts!;
    return [
      (utils!.contacts as never as { key: () => unknown }).key(),
      list!.key!(),
      list!.key!({ type: 'query' }),
      list!.key!({ type: 'infinite', input: { a: 1 } }),
      list!.queryKey!({ input: { search: 'x' } }),
      list!.queryKey!(),
      list!.queryOptions!({ input: { search: 'x' } }).queryKey,
      list!.infiniteKey!(page),
      list!.infiniteOptions!(page).queryKey,
      list!.mutationOptions!().mutationKey,
    ];
  };
  expect(keysOf(ours)).toEqual(keysOf(theirs));
});

test('no endpoint has a name that the client or the options of queries keep for themselves', () => {
  const own = [
    'key',
    'queryKey',
    'queryOptions',
    'infiniteKey',
    'infiniteOptions',
    'mutationKey',
    'mutationOptions',
  ];
  const names = Object.entries(contract).flatMap(([name, part]) => [name, ...Object.keys(part)]);
  expect(names.filter((name) => !isStep(name) || own.includes(name))).toEqual([]);
});
