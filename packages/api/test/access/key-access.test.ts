import { isThorough, part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';
import {
  createCaller,
  openApiFixture,
  PASSWORD,
  readCookies,
  type ApiCaller,
  type ApiFixture,
} from '../api-fixture.ts';
import { countWrites, type WriteCount } from '../count-writes.ts';
import { addPerson } from '../users/add-person.ts';
import { about, countedDoors, eachRouteOnce, restOf, type Door, type Verdict } from './doors.ts';
import { openForKeys } from './route-needs.ts';
import { lackOf, permissionsIn, resources, specification } from './spec-matrix.ts';

let api: ApiFixture;
let writes: WriteCount;
const { knockOn, countRequests } = countedDoors();
beforeAll(async () => {
  api = await openApiFixture();
  writes = await countWrites(api.db.systemPool);
});
afterAll(async () => {
  console.info(`access by API keys: ${countRequests()} requests`);
  await api.close();
});

type Owner = { id: string; caller: ApiCaller; cookie: string };
type Key = Awaited<ReturnType<typeof makeApiKey>>;

/** An admin of their own for each key, so that what happens to one is of no matter to the others. */
async function openOwner(): Promise<Owner> {
  const { id, email } = await addPerson(api, 'admin');
  const cookie = readCookies(
    await api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD }),
  );
  return { id, cookie, caller: createCaller(api.app, cookie) };
}

const query = (text: string, values: unknown[]) => api.db.systemPool.query(text, values);
const admin = () => api.as('admin');

/** The door of the figures of health is no part of the API. */
const isOutside = ({ route }: Door) => ['GET /healthz', 'GET /readyz'].includes(route);

/** Pressed by mail programs: what proves it is in its address, whatever else comes along. */
const isProvenByItsAddress = ({ route }: Door) => route === 'POST /api/profile/unsubscribe/:kind/:token';

/** What each door says to a key for these permissions. */
function promised(door: Door, holds: readonly string[]): Verdict {
  // What the API says of itself is for everybody; what the contract opens to strangers is for browsers.
  if (door.needs === 'nobody' && (door.route.startsWith('GET /') || isProvenByItsAddress(door)))
    return 'passes';
  if (door.name.endsWith('RPC') || !openForKeys.includes(door.route)) return 'api_key_not_accepted';
  return door.needs !== 'nobody' && lackOf(holds, door.needs).length > 0 ? 'FORBIDDEN' : 'passes';
}

const overRest = eachRouteOnce.map(restOf);

describe('a key that opens nothing', () => {
  /** Each tries a part, so that together they try every route twice. */
  let tried = 0;
  const closed: Record<
    string,
    { says: Verdict; end?: (key: Key, owner: Owner) => Promise<unknown>; wish?: object }
  > = {
    'because its owner revoked it': {
      says: 'api_key_invalid',
      end: ({ id }, { caller }) => caller.delete(`/api/api-keys/${id}`),
    },
    'because an admin revoked it': {
      says: 'api_key_invalid',
      end: async ({ id }) => (await admin()).delete(`/api/api-keys/${id}`),
    },
    'because it has expired': {
      says: 'api_key_expired',
      end: ({ id }) =>
        query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
    },
    'from a network that it does not allow': {
      says: 'api_key_address',
      wish: { allowedAddresses: ['198.51.100.0/24', '2001:db8::/32'] },
    },
    'because its owner is deactivated': {
      says: 'api_key_invalid',
      end: async (_, { id }) => (await admin()).post(`/api/users/${id}/deactivate`, {}),
    },
    'because its owner is deleted': {
      says: 'api_key_invalid',
      end: async (_, { id }) => (await admin()).delete(`/api/users/${id}`, {}),
    },
    'because its owner is in the workspace no more': {
      says: 'api_key_invalid',
      end: (_, { id }) => query('DELETE FROM memberships WHERE user_id = $1', [id]),
    },
  };

  test.each(Object.keys(closed))('%s, opens no door, and changes nothing', async (why) => {
    const { says, end, wish } = closed[why]!; // one of its keys
    const owner = await openOwner();
    const key = await makeApiKey(owner.caller, wish);
    await end?.(key, owner);
    expect(await tryAll(callWithKey(api, key.secret))).toEqual({ said: [says], written: {} });
  });

  test('because a letter of it is another one', async () => {
    const { secret } = await makeApiKey((await openOwner()).caller);
    const last = secret.endsWith('0') ? '1' : '0';
    expect(await tryAll(callWithKey(api, `${secret.slice(0, -1)}${last}`))).toEqual({
      said: ['api_key_invalid'],
      written: {},
    });
  });

  test('because the cookie of a session comes with it', async () => {
    const owner = await openOwner();
    const { secret } = await makeApiKey(owner.caller);
    const both = callWithKey({ stranger: owner.caller }, secret);
    expect(await tryAll(both)).toEqual({ said: ['api_key_with_session'], written: {} });
  });

  /** What the doors said, each word once, and what was written meanwhile. */
  async function tryAll(caller: ApiCaller): Promise<{ said: Verdict[]; written: object }> {
    tried += 1;
    const inside = part(
      eachRouteOnce.filter((door) => !isOutside(door)),
      ...([6, tried] as const),
    );
    let verdicts: Verdict[] = [];
    await api.facts.catchUp();
    const written = await writes.during(async () => {
      verdicts = Object.values(await knockOn(inside, caller));
      await api.facts.catchUp();
    });
    return { said: [...new Set(verdicts)], written };
  }
});

describe('a key', () => {
  const promisedOf = (doors: readonly Door[], holds: readonly string[]) =>
    Object.fromEntries(doors.map((door) => [door.name, promised(door, holds)]));

  longTest.each(resources)('for everything about %s opens what asks for no other', async (resource) => {
    const owner = await openOwner();
    const held = permissionsIn(specification.admin).filter((permission) =>
      permission.startsWith(`${resource}:`),
    );
    const { secret } = await makeApiKey(owner.caller, { scopes: held as never[] }); // words of the specification
    const doors = about(resource).map(restOf);
    expect(await knockOn(doors, callWithKey(api, secret))).toEqual(promisedOf(doors, held));
  });

  longTest(
    'for everything opens at every address what is for keys, and nothing that is for people',
    async () => {
      const { secret } = await makeApiKey((await openOwner()).caller);
      const doors = isThorough
        ? [...eachRouteOnce, ...overRest.filter((door) => !eachRouteOnce.includes(door))]
        : eachRouteOnce;
      const holds = permissionsIn(specification.admin);
      expect(await knockOn(doors, callWithKey(api, secret))).toEqual(promisedOf(doors, holds));
    },
  );

  test('for everything, of an owner who is a viewer since, opens what viewers may', async () => {
    const owner = await openOwner();
    const { secret } = await makeApiKey(owner.caller);
    await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [owner.id]);
    const holds = permissionsIn(specification.viewer);
    const some = part(overRest, 3);
    expect(await knockOn(some, callWithKey(api, secret))).toEqual(promisedOf(some, holds));
  });
});
