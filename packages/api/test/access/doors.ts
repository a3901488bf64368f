import type { ApiCaller, ApiResponse } from '../api-fixture.ts';
import { codeOf } from '../http-edge/code-of.ts';
import { callRest, callRpc, contractRoutes, makeInput } from '../http-edge/contract-routes.ts';
import { plainRoutes } from '../http-edge/plain-routes.ts';
import { addressNeeds, endpointNeeds, type Needs } from './route-needs.ts';

/** One way into one route. */
export type Door = { name: string; route: string; needs: Needs; knock(caller: ApiCaller): Promise<Verdict> };
export type Verdict = 'passes' | AtTheDoor | `fails: ${string}`;

const AT_THE_DOOR = [
  ...(['signed_out', 'FORBIDDEN', 'two_factor_needed', 'password_needed'] as const),
  ...(['api_key_invalid', 'api_key_expired', 'api_key_address', 'api_key_with_session'] as const),
  ...(['api_key_not_accepted', 'too_many_requests'] as const),
];

type AtTheDoor = (typeof AT_THE_DOOR)[number];

/** What an answer says of the door; what the act itself refuses behind it is no matter of this test. */
async function judge(answer: ApiResponse): Promise<Verdict> {
  const { status } = answer;
  if (status < 400) {
    await answer.body?.cancel();
    return 'passes';
  }
  const code = await codeOf(answer);
  const isInForm = /^[A-Za-z_]+$/.test(code) && status < 500;
  return AT_THE_DOOR.find((known) => known === code) ?? (isInForm ? 'passes' : `fails: ${status} ${code}`);
}

export const contractDoors: Door[] = contractRoutes.flatMap((route) =>
  (['REST', 'RPC'] as const).map((how) => ({
    name: `${route.name} over ${how}`,
    route: route.name,
    needs: endpointNeeds.get(route.name) ?? [],
    knock: async (caller: ApiCaller) =>
      judge(await (how === 'REST' ? callRest : callRpc)(caller, route, makeInput(route))),
  })),
);

export const plainDoors: Door[] = Object.entries(plainRoutes).map(([name, { path, init }]) => ({
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

export const doors = [...contractDoors, ...plainDoors];
/** Each route once, by the one or by the other of its addresses. */
export const eachRouteOnce = [
  ...contractDoors.filter((_, place) => [0, 3].includes(place % 4)),
  ...plainDoors,
];

/** The same route by its own address. */
export function restOf({ route, name, ...door }: Door): Door {
  return contractDoors.find((other) => other.route === route) ?? { ...door, route, name };
}

/** The doors at which this resource matters. */
export const about = (resource: string): Door[] =>
  eachRouteOnce.filter(
    ({ needs }) => needs !== 'nobody' && needs.some((permission) => permission.startsWith(`${resource}:`)),
  );

/** Tries doors in somebody's name, many at once, as many as the pool of the fixture takes. */
export function countedDoors() {
  let requests = 0;
  return {
    countRequests: () => requests,
    async knockOn(chosen: readonly Door[], caller: ApiCaller): Promise<Record<string, Verdict>> {
      const verdicts: Record<string, Verdict> = {};
      const waiting = [...chosen];
      const work = async () => {
        for (let door = waiting.shift(); door; door = waiting.shift()) {
          requests += 1;
          verdicts[door.name] = await door.knock(caller);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      return verdicts;
    },
  };
}
