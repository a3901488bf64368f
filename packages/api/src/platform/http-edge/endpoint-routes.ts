import { contract } from '@app/contracts/contract';
import type { EndpointMeta } from '@app/contracts/endpoint';

/** `method` is null where any does. */
type EndpointRoute = { method: string | null; path: RegExp; meta: EndpointMeta };

/** Every endpoint of the contract has two addresses: its own, and that of the typed client. */
export const endpointRoutes: readonly EndpointRoute[] = Object.entries(contract).flatMap(listRoutes);

const inAnyWorkspace = endpointRoutes.filter(({ meta }) => meta.inAnyWorkspace);

/** Whether this request is answered whatever workspace it names. */
export function isForAnyWorkspace(method: string, path: string): boolean {
  return inAnyWorkspace.some((route) => (route.method ?? method) === method && route.path.test(path));
}

function listRoutes([feature, endpoints]: [string, object]): EndpointRoute[] {
  return Object.entries(endpoints).flatMap(([name, { '~orpc': promise }]) => {
    const meta = promise.meta as EndpointMeta; // set by endpoint() for every contract
    const path = String(promise.route.path).replaceAll(/\{\w+\}/g, '[^/]+');
    return [
      { method: promise.route.method as string, path: new RegExp(`^/api${path}/?$`), meta },
      { method: null, path: new RegExp(`^/api/rpc/${feature}/${name}/?$`), meta },
    ];
  });
}
