import { contract } from '@app/contracts/contract';
import { CONTACT_LIST_BODY, type Access, type EndpointMeta } from '@app/contracts/endpoint';

export type BodyRule = {
  /** Bytes at most; `streamed` for a route that reads piece by piece, keeps none of it and checks the caller first. */
  most: number | 'streamed';
  /** Whom a body that is not small is read for. Strangers hear of a public address that a body is too large, and of others to sign in. */
  access: Access;
  /** Files come from telephones and hold any bytes; all else is JSON. */
  isFile?: true;
};

/** What a stranger may send, and what everybody may before it is asked who they are. */
export const SMALL_BODY = 64 * 1024;
const LARGEST_UPLOAD_PART = 4 * 1024 * 1024;
const SIGN_IN_FORM = 16 * 1024;

type Route = { method: string | null; path: RegExp; rule: BodyRule };

/** The routes beside the contract that take a body. */
const plainRoutes: readonly Route[] = [
  { method: null, path: /^\/api\/auth\//, rule: { most: SIGN_IN_FORM, access: 'public' } },
  {
    method: 'POST',
    path: /^\/api\/contacts\/imports$/,
    rule: { most: 'streamed', access: 'contacts:create' },
  },
  {
    method: 'POST',
    path: /^\/api\/contacts\/export$/,
    rule: { most: CONTACT_LIST_BODY, access: 'contacts:read' },
  },
  {
    method: 'PATCH',
    path: /^\/api\/uploads\/[^/]+$/,
    rule: { most: LARGEST_UPLOAD_PART, access: 'messages:create', isFile: true },
  },
];

const routes = [...plainRoutes, ...Object.entries(contract).flatMap(listRoutes)];

/** An address that nobody knows takes what a stranger may send. */
const unknown: BodyRule = { most: SMALL_BODY, access: 'signed-in' };

/** How much a request to an address below `/api` may bring, from its first line alone. */
export function findBodyRule(method: string, path: string): BodyRule {
  const found = routes.find((route) => (route.method ?? method) === method && route.path.test(path));
  return found?.rule ?? unknown;
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
