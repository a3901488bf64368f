import type { Access } from '@app/contracts/endpoint';
import { endpointRoutes } from './endpoint-routes.ts';
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
  const endpoints = endpointRoutes.map(({ meta: { access, largestBody }, ...route }) => ({
    ...route,
    rule: { most: largestBody, access },
  }));
  const routes: Route[] = [signIn, ...files.flatMap(listFile), ...endpoints];
  return (method, path) =>
    routes.find((route) => (route.method ?? method) === method && route.path.test(path))?.rule ?? unknown;
}

function listFile({ method, path, access, body }: FileRoute): Route[] {
  return body
    ? [{ method, path: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`), rule: { ...body, access } }]
    : [];
}
