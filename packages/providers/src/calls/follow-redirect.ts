import type { CancelSignal } from '@app/domain/messaging/channel-port';
import type { AddressProblem, CallMethod } from '@app/domain/network/outgoing-calls';

type Request = {
  method: CallMethod;
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  largestResponse: number;
  signal: CancelSignal | undefined;
};

/** Sent to another origin: what every server may see. Everything else may be a credential. */
const OPEN_HEADERS = ['accept', 'accept-language', 'accept-encoding', 'content-type', 'user-agent'];

/** The request of the next hop (RFC 9110, 15.4); null where its address is missing, refused, or less secret than the last. */
export function followRedirect(
  request: Request,
  status: number,
  location: string | undefined,
  check: (address: string) => AddressProblem | null,
): Request | null {
  const url = location === undefined ? null : URL.parse(location, request.url);
  if (!url || check(url.href) !== null) return null;
  if (request.url.protocol === 'https:' && url.protocol === 'http:') return null;
  const isSameOrigin = url.origin === request.url.origin;
  // A body may hold secrets too, so it goes to another origin as little as they do.
  if (!isSameOrigin && request.body !== null && status >= 307) return null;
  const becomesGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  const headers = Object.entries(request.headers).filter(
    ([name]) => (isSameOrigin || OPEN_HEADERS.includes(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    ...request,
    url,
    headers: Object.fromEntries(headers),
    ...(becomesGet && { method: 'GET' as const, body: null }),
  };
}
