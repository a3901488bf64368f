import { contract } from '@app/contracts/contract';
import type { Access, EndpointMeta } from '@app/contracts/endpoint';
import type { FileBody, FileRoute } from './file-routes.ts';

export type BodyRule = FileBody & {
  /** Whom a body that is not small is read for. Strangers hear of a public address that a body is too large, and of others to sign in. */
  access: Access;
};

export type FindBodyRule = (method: string, path: string) => BodyRule;

/** What a stranger may send, and what everybody may before it is asked who they are. */
export const SMALL_BODY = 64 * 1024;
const SIGN_IN_FORM = 16 * 1024;

type Route = { method: string | null; path: RegExp; rule: BodyRule };

/** Sign-in stands beside the contract. */
const signIn: Route = {
  method: null,
  path: /^\/api\/auth\//,
  rule: { most: SIGN_IN_FORM, access: 'public' },
};

/** An address that nobody knows takes what a stranger may send. */
const unknown: BodyRule = { most: SMALL_BODY, access: 'signed-in' };

/** How much a request to an address below `/api` may bring, from its first line alone. */
export function createBodyRules(files: readonly FileRoute[]): FindBodyRule {
  const routes = [signIn, ...files.flatMap(listFile), ...Object.entries(contract).flatMap(listRoutes)];
  return (method, path) =>
    routes.find((route) => (route.method ?? method) === method && route.path.test(path))?.rule ?? unknown;
}

function listFile({ method, path, access, body }: FileRoute): Route[] {
  return body
    ? [{ method, path: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`), rule: { ...body, access } }]
    : [];
}

/** Every endpoint has two addresses: its own, and that of the typed client. */
function listRoutes([feature, endpoints]: [string, object]): Route[] {
  return Object.entries(endpoints).flatMap(([name, { '~orpc': promise }]) => {
    const { access, largestBody } = promise.meta as EndpointMeta; // set by endpoint() for every contract
    const rule = { most: largestBody, access };
    const path = String(promise.route.path).replaceAll(/\{\w+\}/g, '[^/]+');
    return [
      { method: promise.route.method as string, path: new RegExp(`^/api${path}/?$`), rule },
      { method: null, path: new RegExp(`^/api/rpc/${feature}/${name}/?$`), rule },
    ];
  });
}
