import { isLoopback } from '@app/domain/network/loopback';

/** Probes call by the address of the machine and learn nothing but whether it works; figures ask for a proof of their own. */
const ANY_HOST = new Set(['/healthz', '/readyz', '/metrics']);

/** Ports and spellings are chosen by the caller. */
const MOST_MET = 100;

/**
 * Says whether a request names this server by a name of its own. A page of a stranger can point its own name at our address
 * (DNS rebinding): its requests would be same-site to the browser, and only the name gives them away. Ports are not
 * looked at, since a forwarded one is as good as ours.
 */
export function createHostCheck(publicUrl: string, allowedHosts: readonly string[]) {
  const known = new Set([new URL(publicUrl).hostname, ...allowedHosts]);
  const isKnown = (hostname: string) => known.has(hostname) || isLoopback(hostname);
  /** Pairs of origin and header that were found to be ours: the same few in all requests. */
  const met = new Set<string>();

  return (request: Request): boolean => {
    const named = request.headers.get('host');
    const pair = `${originOf(request.url)} ${named}`;
    if (met.has(pair)) return true;
    const { hostname, pathname } = new URL(request.url);
    // An absolute address in the request line may differ from the header: both must be ours.
    const hosts = named === null ? [hostname] : [hostname, URL.parse(`http://${named}`)?.hostname ?? ''];
    if (!hosts.every(isKnown)) return ANY_HOST.has(pathname);
    if (met.size >= MOST_MET) met.clear();
    met.add(pair);
    return true;
  };
}

/** All of an address before its path: what stands there alone decides its host. */
function originOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3);
  return path === -1 ? url : url.slice(0, path);
}
