import { roles } from '@app/domain/auth/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCaller,
  openApiFixture,
  type ApiCaller,
  type ApiFixture,
  type ApiResponse,
} from '../api-fixture.ts';
import { countWrites, type WriteCount } from '../count-writes.ts';
import { callRest, callRpc, contractRoutes, makeInput } from '../rim/contract-routes.ts';
import { codeOf } from '../rim/code-of.ts';
import { plainRoutes } from '../rim/plain-routes.ts';
import { closedCallers, openCallers, type AccessCaller } from './access-callers.ts';
import {
  addressNeeds,
  asksForProof,
  endpointNeeds,
  openForSetUp,
  routesWithOwnProof,
  type Needs,
} from './route-needs.ts';
import { everyPermission, lackOf, resources } from './spec-matrix.ts';
import { signedInManager } from './signed-in-manager.ts';

let api: ApiFixture;
let writes: WriteCount;
let requests = 0;
beforeAll(async () => {
  api = await openApiFixture();
  writes = await countWrites(api.db.systemPool);
});
afterAll(async () => {
  console.info(
    `access matrix: ${doors.length} doors, ${Object.keys({ ...closedCallers, ...openCallers }).length} callers and ${everyPermission.length} single permissions, ${requests} requests`,
  );
  await api.close();
});

/** One way into one route. */
type Door = { name: string; route: string; needs: Needs; knock(caller: ApiCaller): Promise<Verdict> };
type Verdict = 'passes' | (typeof AT_THE_DOOR)[number] | `fails: ${string}`;

const AT_THE_DOOR = ['signed_out', 'FORBIDDEN', 'two_factor_needed', 'password_needed'] as const;

/** What an answer says of the door; what the act itself refuses behind it is no matter of this test. */
async function judge(answer: ApiResponse): Promise<Verdict> {
  requests += 1;
  const { status } = answer;
  if (status < 400) {
    await answer.body?.cancel();
    return 'passes';
  }
  const code = await codeOf(answer);
  const isInForm = /^[A-Za-z_]+$/.test(code) && status < 500;
  return AT_THE_DOOR.find((known) => known === code) ?? (isInForm ? 'passes' : `fails: ${status} ${code}`);
}

const contractDoors: Door[] = contractRoutes.flatMap((route) =>
  (['REST', 'RPC'] as const).map((how) => ({
    name: `${route.name} over ${how}`,
    route: route.name,
    needs: endpointNeeds.get(route.name) ?? [],
    knock: async (caller: ApiCaller) =>
      judge(await (how === 'REST' ? callRest : callRpc)(caller, route, makeInput(route))),
  })),
);

const plainDoors: Door[] = Object.entries(plainRoutes).map(([name, { path, init }]) => ({
  name,
  route: name,
  needs: addressNeeds.get(name) ?? [],
  async knock(caller) {
    const stop = new AbortController();
    const verdict = await judge(await caller.request(path, { ...init, signal: stop.signal }));
    stop.abort();
    return verdict;
  },
}));

const doors = [...contractDoors, ...plainDoors];
/** Each route once, by the one or by the other of its addresses. */
const eachRouteOnce = [...contractDoors.filter((_, place) => [0, 3].includes(place % 4)), ...plainDoors];

function promised(
  { route, needs }: Door,
  { holds, standing }: Pick<AccessCaller, 'holds' | 'standing'>,
): Verdict {
  if (needs === 'nobody') return 'passes';
  if (holds === null) return 'signed_out';
  if (standing === 'must set up' && !openForSetUp.includes(route)) return 'two_factor_needed';
  if (lackOf(holds, needs).length > 0) return 'FORBIDDEN';
  if (standing === 'old proof' && asksForProof.includes(route)) return 'password_needed';
  return 'passes';
}

/** Many at once, as many as the pool of the fixture takes. */
async function knockOn(chosen: readonly Door[], caller: ApiCaller): Promise<Record<string, Verdict>> {
  const verdicts: Record<string, Verdict> = {};
  const waiting = [...chosen];
  const work = async () => {
    for (let door = waiting.shift(); door; door = waiting.shift())
      verdicts[door.name] = await door.knock(caller);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return verdicts;
}

const verdictsOf = (chosen: readonly Door[], held: Pick<AccessCaller, 'holds' | 'standing'>) =>
  Object.fromEntries(chosen.map((door) => [door.name, promised(door, held)]));

describe('every route has its place in the table', () => {
  test('every endpoint of the contract, and none that is gone', () => {
    expect([...endpointNeeds.keys()].toSorted()).toEqual(contractRoutes.map(({ name }) => name).toSorted());
  });

  test('every address beside it, with a request for it', () => {
    const served = new Set(api.app.routes.map(({ method, path }) => `${method} ${path}`));
    expect(served).toEqual(new Set([...addressNeeds.keys(), ...routesWithOwnProof]));
    expect(Object.keys(plainRoutes).toSorted()).toEqual([...addressNeeds.keys()].toSorted());
  });
});

/** A role is tried at every address; what a session is worth is decided before all of them. */
const triedEverywhere = ['a stranger', ...roles.map((role) => `the role ${role}`)];

describe.each(Object.entries({ ...closedCallers, ...openCallers }))('%s', (name, open) => {
  test('passes exactly the doors that the specification opens, and changes nothing at the others', async () => {
    const who = await open(api);
    const tried = triedEverywhere.includes(name) ? doors : eachRouteOnce;
    const isClosed = (door: Door) => promised(door, who) !== 'passes';
    const closed = tried.filter(isClosed);
    let verdicts: Record<string, Verdict> = {};
    // What opening the session left behind has its own time.
    await api.facts.catchUp();
    const written = await writes.during(async () => {
      verdicts = await knockOn(closed, who.caller);
      await api.facts.catchUp();
    });
    expect(written).toEqual({});
    Object.assign(
      verdicts,
      await knockOn(
        tried.filter((door) => !isClosed(door)),
        who.caller,
      ),
    );
    expect(verdicts).toEqual(verdictsOf(tried, who));
  });
});

describe('a role that its workspace has edited', () => {
  /** The doors at which this resource matters. */
  const about = (resource: string) =>
    eachRouteOnce.filter(
      ({ needs }) => needs !== 'nobody' && needs.some((permission) => permission.startsWith(`${resource}:`)),
    );

  test.each(resources)('to one permission on %s passes exactly what asks for no other', async (resource) => {
    const { caller, allow } = await signedInManager(api);
    for (const permission of everyPermission.filter((one) => one.startsWith(`${resource}:`))) {
      await allow([permission]);
      const verdicts = await knockOn(about(resource), caller);
      expect({ permission, verdicts }).toEqual({
        permission,
        verdicts: verdictsOf(about(resource), { holds: [permission] }),
      });
    }
  });

  test.each(resources)('to everything but %s is refused what asks for it', async (resource) => {
    const { caller, allow } = await signedInManager(api);
    const holds = everyPermission.filter((one) => !one.startsWith(`${resource}:`));
    await allow(holds);
    expect(await knockOn(about(resource), caller)).toEqual(verdictsOf(about(resource), { holds }));
  });

  test('to nothing at all passes what every signed-in person may', async () => {
    const { caller, allow } = await signedInManager(api);
    await allow([]);
    expect(await knockOn(eachRouteOnce, caller)).toEqual(verdictsOf(eachRouteOnce, { holds: [] }));
  });

  test('cannot be that of admins', async () => {
    await api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
      api.workspaceId,
      JSON.stringify({ admin: [] }),
    ]);
    const who = await openCallers['the role admin']!(api);
    expect(await knockOn(eachRouteOnce, who.caller)).toEqual(verdictsOf(eachRouteOnce, who));
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
