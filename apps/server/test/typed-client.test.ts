import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { contract } from '@app/contracts/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHostFixture, type HostFixture } from './host-fixture.ts';

type Context = { idempotencyKey?: string };
type Client = JsonifiedClient<ContractRouterClient<typeof contract, Context>>;

let host: HostFixture;
let client: Client;
beforeAll(async () => {
  host = await openHostFixture();
  client = openClient(host.url, await makeKey(['contacts:manage']));
});
afterAll(() => host.close());

/** What a program writes that has the contract: every address, input, answer and refusal is known to the compiler. */
function openClient(url: string, key: string): Client {
  return createORPCClient(
    new OpenAPILink<Context>(contract, {
      url: `${url}/api`,
      headers: ({ context }) => ({
        authorization: `Bearer ${key}`,
        ...(context.idempotencyKey && { 'idempotency-key': context.idempotencyKey }),
      }),
      customErrorResponseBodyDecoder: (body, { status }) => {
        const { error } = body as { error: { code: string; message: string; details?: unknown } };
        return new ORPCError(error.code, { status, message: error.message, data: error.details });
      },
    }),
  );
}

test('a contact is made once under a key, and found', async () => {
  const act = { context: { idempotencyKey: crypto.randomUUID() } };
  const wish = { name: 'Ana Silva', phone: '+351912345678', tags: ['typed'] };
  const made = await client.contacts.create(wish, act);
  expect(await client.contacts.create(wish, act)).toEqual(made);
  expect(await client.contacts.get({ contactId: made.id })).toMatchObject({
    name: 'Ana Silva',
    tags: ['typed'],
  });
  expect((await client.contacts.list({ tag: 'typed' })).items.map(({ id }) => id)).toEqual([made.id]);
});

test('a list is read page by page to its end', async () => {
  for (let n = 0; n < 5; n += 1)
    await client.contacts.create(
      { name: `Page ${n}`, phone: `+35191234560${n}`, tags: ['pages'] },
      { context: { idempotencyKey: crypto.randomUUID() } },
    );
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.contacts.list({
      tag: 'pages',
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    });
    names.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(names.toSorted()).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3', 'Page 4']);
});

test('a change is made once under a key, and one of an older version is refused by name', async () => {
  const { id: contactId, version } = await client.contacts.create(
    { name: 'Before', phone: '+351912345690' },
    { context: { idempotencyKey: crypto.randomUUID() } },
  );
  const act = { context: { idempotencyKey: crypto.randomUUID() } };
  const changed = await client.contacts.update({ contactId, version, name: 'After' }, act);
  expect(changed).toMatchObject({ name: 'After', version: version + 1 });
  expect(await client.contacts.update({ contactId, version, name: 'After' }, act)).toEqual(changed);
  const late = client.contacts.update({ contactId, version, name: 'Too late' });
  await expect(late).rejects.toMatchObject({ code: 'contact_changed', status: 409 });
  const twice = client.contacts.create(
    { name: 'Twice', phone: '+351912345690' },
    { context: { idempotencyKey: crypto.randomUUID() } },
  );
  await expect(twice).rejects.toMatchObject({ code: 'contact_phone_taken', data: { field: 'phone' } });
});

test('what the key is not for, and what is for people, is refused by name', async () => {
  await expect(client.templates.list({})).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  await expect(client.profile.get({})).rejects.toMatchObject({ code: 'api_key_not_accepted', status: 403 });
  const stranger = openClient(host.url, `wmp_${'0'.repeat(12)}_${'0'.repeat(56)}`);
  await expect(stranger.contacts.list({})).rejects.toMatchObject({ code: 'api_key_invalid', status: 401 });
});

async function makeKey(scopes: string[]): Promise<string> {
  const wish = { keyId: crypto.randomUUID(), name: 'Typed', scopes, expiresAt: null };
  return (await host.call<{ secret: string }>('POST', '/api/api-keys', wish)).body.secret;
}
