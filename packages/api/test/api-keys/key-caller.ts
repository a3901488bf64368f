import type { Permission } from '@app/domain/auth/permissions';
import { callBy, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

export type KeyWish = {
  scopes?: readonly Permission[];
  name?: string;
  allowedAddresses?: readonly string[];
  expiresAt?: string | null;
};

export type KeyInHand = { id: string; prefix: string; secret: string };

/** Has somebody make an API key: by default one for all that admins may do. */
export async function makeApiKey(owner: ApiCaller, wish: KeyWish = {}): Promise<KeyInHand> {
  const answer = await owner.post('/api/api-keys', {
    keyId: crypto.randomUUID(),
    name: wish.name ?? 'A program',
    scopes: wish.scopes ?? everything,
    allowedAddresses: wish.allowedAddresses ?? [],
    expiresAt: wish.expiresAt ?? null,
  });
  if (!answer.ok) throw new Error(`No key: ${await answer.text()}`);
  const { key, secret } = await answer.json<{ key: { id: string; prefix: string }; secret: string }>();
  return { id: key.id, prefix: key.prefix, secret };
}

/** Calls with a key in place of the cookies of a sign-in. */
export function callWithKey(api: Pick<ApiFixture, 'stranger'>, secret: string): ApiCaller {
  const { stranger } = api;
  return callBy((path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${secret}`);
    return stranger.request(path, { ...init, headers });
  });
}

const everything: readonly Permission[] = [
  ...(['users:manage', 'campaigns:manage', 'contacts:manage', 'analytics:read'] as const),
  ...(['settings:manage', 'templates:manage', 'messages:manage'] as const),
];

/** A program with a key of this owner. */
export async function openProgram(
  api: Pick<ApiFixture, 'stranger'>,
  owner: ApiCaller,
  wish?: KeyWish,
): Promise<{ id: string; program: ApiCaller; secret: string }> {
  const { id, secret } = await makeApiKey(owner, wish);
  return { id, secret, program: callWithKey(api, secret) };
}
