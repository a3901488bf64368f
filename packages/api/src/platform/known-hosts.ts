import { isLoopback } from '@app/domain/network/loopback';

/** Probes call by the address of the machine and learn nothing but whether it works; figures ask for a proof of their own. */
const ANY_HOST = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Says whether a request names this server by a name of its own. A page of a stranger can point its own name at our address
 * (DNS rebinding): its requests would be same-site to the browser, and only the name gives them away. Ports are not
 * looked at, since a forwarded one is as good as ours.
 */
export function createHostCheck(publicUrl: string, allowedHosts: readonly string[]) {
  const known = new Set([new URL(publicUrl).hostname, ...allowedHosts]);
  const isKnown = (hostname: string) => known.has(hostname) || isLoopback(hostname);

  return (request: Request): boolean => {
    const { hostname, pathname } = new URL(request.url);
    const named = request.headers.get('host');
    // An absolute address in the request line may differ from the header: both must be ours.
    const hosts = named === null ? [hostname] : [hostname, URL.parse(`http://${named}`)?.hostname ?? ''];
    return ANY_HOST.has(pathname) || hosts.every(isKnown);
  };
}
