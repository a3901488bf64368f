import { isThorough, part } from '@app/database/testing/thorough';
import { roles } from '@app/domain/auth/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { createCaller, openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { countWrites, type WriteCount } from '../count-writes.ts';
import { contractRoutes } from '../http-edge/contract-routes.ts';
import { plainRoutes } from '../http-edge/plain-routes.ts';
import { closedCallers, openCallers, type AccessCaller } from './access-callers.ts';
import { about, countedDoors, doors, eachRouteOnce, type Door, type Verdict } from './doors.ts';
import {
  addressNeeds,
  asksToReauthenticate,
  endpointNeeds,
  openForSetUp,
  routesWithOwnAuthentication,
} from './route-needs.ts';
import { everyPermission, lackOf, resources } from './spec-matrix.ts';
import { signedInManager } from './signed-in-manager.ts';

let api: ApiFixture;
let writes: WriteCount;
const { knockOn, countRequests } = countedDoors();
beforeAll(async () => {
  api = await openApiFixture();
  writes = await countWrites(api.db.systemPool);
});
afterAll(async () => {
  console.info(
    `access matrix: ${doors.length} doors, ${everybody.length} callers and ${everyPermission.length} single permissions, ${countRequests()} requests`,
  );
  await api.close();
});

function promised(
  { route, needs }: Door,
  { holds, standing }: Pick<AccessCaller, 'holds' | 'standing'>,
): Verdict {
  if (needs === 'nobody') return 'passes';
  if (holds === null) return 'signed_out';
  if (standing === 'must set up' && !openForSetUp.includes(route)) return 'two_factor_needed';
  if (lackOf(holds, needs).length > 0) return 'FORBIDDEN';
  if (standing === 'old proof' && asksToReauthenticate.includes(route)) return 'password_needed';
  return 'passes';
}

const verdictsOf = (chosen: readonly Door[], held: Pick<AccessCaller, 'holds' | 'standing'>) =>
  Object.fromEntries(chosen.map((door) => [door.name, promised(door, held)]));

describe('every route has its place in the table', () => {
  test('every endpoint of the contract, and none that is gone', () => {
    expect([...endpointNeeds.keys()].toSorted()).toEqual(contractRoutes.map(({ name }) => name).toSorted());
  });

  test('every address beside it, with a request for it', () => {
    const served = new Set(api.app.routes.map(({ method, path }) => `${method} ${path}`));
    expect(served).toEqual(new Set([...addressNeeds.keys(), ...routesWithOwnAuthentication]));
    expect(Object.keys(plainRoutes).toSorted()).toEqual([...addressNeeds.keys()].toSorted());
  });
});

/** A role is tried at every route, by `npm run faults -- access` at both of its addresses; what a session is worth is decided before all of them. */
const triedEverywhere = ['a stranger', ...roles.map((role) => `the role ${role}`)];

const everybody = Object.keys({ ...closedCallers, ...openCallers });
const opened = new Map<string, AccessCaller>();

/** Everybody comes in once; what they leave behind has its own time. */
async function open(name: string): Promise<AccessCaller> {
  const known = opened.get(name) ?? (await { ...closedCallers, ...openCallers }[name]!(api)); // one of everybody
  opened.set(name, known);
  await api.facts.catchUp();
  return known;
}

/** Of the others each tries a part, so that together they try every route more than once. */
function triedBy(name: string): readonly Door[] {
  if (!triedEverywhere.includes(name)) return part(eachRouteOnce, 4, everybody.indexOf(name));
  return isThorough ? doors : eachRouteOnce;
}

// Before anything is done behind an open one, whose work may go on beside the next test.
describe('closed doors', () => {
  test.each(everybody)('are those of the specification for %s, and change nothing', async (name) => {
    const who = await open(name);
    const closed = triedBy(name).filter((door) => promised(door, who) !== 'passes');
    const written = await writes.during(async () => {
      expect(await knockOn(closed, who.caller)).toEqual(verdictsOf(closed, who));
      await api.facts.catchUp();
    });
    expect(written).toEqual({});
  });
});

longDescribe('open doors', () => {
  test.each(everybody)('are those of the specification for %s', async (name) => {
    const who = await open(name);
    // That a door opens is what every other test of it needs; who it is closed to is tried at each.
    const passable = part(
      triedBy(name).filter((door) => promised(door, who) === 'passes'),
      ...([6, everybody.indexOf(name)] as const),
    );
    expect(await knockOn(passable, who.caller)).toEqual(verdictsOf(passable, who));
  });
});

describe('a role that its workspace has edited', () => {
  longTest.each(resources)(
    'to one permission on %s passes exactly what asks for no other',
    async (resource) => {
      const { caller, allow } = await signedInManager(api);
      for (const permission of everyPermission.filter((one) => one.startsWith(`${resource}:`))) {
        await allow([permission]);
        const verdicts = await knockOn(about(resource), caller);
        expect({ permission, verdicts }).toEqual({
          permission,
          verdicts: verdictsOf(about(resource), { holds: [permission] }),
        });
      }
    },
  );

  test.each(resources)('to everything but %s is refused what asks for it', async (resource) => {
    const { caller, allow } = await signedInManager(api);
    const holds = everyPermission.filter((one) => !one.startsWith(`${resource}:`));
    await allow(holds);
    expect(await knockOn(about(resource), caller)).toEqual(verdictsOf(about(resource), { holds }));
  });

  test('to nothing at all passes what every signed-in person may', async () => {
    const { caller, allow } = await signedInManager(api);
    await allow([]);
    const some = part(eachRouteOnce, 3);
    expect(await knockOn(some, caller)).toEqual(verdictsOf(some, { holds: [] }));
  });

  test('cannot be that of admins', async () => {
    await api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
      api.workspaceId,
      JSON.stringify({ admin: [] }),
    ]);
    const who = await openCallers['the role admin']!(api);
    const some = part(eachRouteOnce, 4);
    expect(await knockOn(some, who.caller)).toEqual(verdictsOf(some, who));
  });
});

test('a cookie of a session opens nothing as an authorization header or in the address', async () => {
  const { cookie } = await signedInManager(api);
  const token = decodeURIComponent(/session_token=([^;]+)/.exec(cookie)?.[1] ?? '');
  for (const authorization of [`Bearer ${token}`, `Basic ${btoa(`${token}:`)}`, token])
    expect((await api.stranger.request('/api/contacts', { headers: { authorization } })).status).toBe(401);
  expect((await api.stranger.get(`/api/contacts?session_token=${encodeURIComponent(token)}`)).status).toBe(
    401,
  );
  expect((await createCaller(api.app, cookie).get('/api/contacts')).status).toBe(200);
});
