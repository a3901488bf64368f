import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'hono';

/**
 * The sandbox has no password, so it answers only under names of its own: a page whose name was pointed at this
 * machine (DNS rebinding) comes with its own name in `Host`.
 */
export class KnownHosts {
  readonly #names = new Set<string>();
  readonly #given: readonly string[];
  readonly #isOpen: boolean;
  #port = 0;

  constructor(host: string, others: readonly string[]) {
    this.#isOpen = host === '0.0.0.0' || host === '::';
    this.#given = [bracketed(host), ...others];
    for (const name of others) this.#names.add(name.toLowerCase());
  }

  /** Until the port is known nothing is. */
  listenOn(port: number): void {
    this.#port = port;
    for (const name of ['localhost', '127.0.0.1', '[::1]', ...this.#given]) {
      this.#names.add(`${name.toLowerCase()}:${port}`);
      if (port === 80) this.#names.add(name.toLowerCase());
    }
  }

  /** On every address of the machine, the one that was called is a name too. */
  has(request: IncomingMessage): boolean {
    const host = request.headers.host;
    if (host === undefined) return false;
    if (this.#names.has(host) || this.#names.has(host.toLowerCase())) return true;
    if (!this.#isOpen) return false;
    const called = bracketed(request.socket.localAddress?.replace(/^::ffff:/, '') ?? '');
    return host === `${called}:${this.#port}`;
  }
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Files that pages of others may show, as they show those of the platform's own file servers. */
const SHOWN_ELSEWHERE = /^\/(?:_sandbox\/whatsapp\/samples|lookaside)\//;

/** Refuses what a page of another site asks for; following a link to the page for people is allowed. */
export async function refuseOtherSites(c: Context, next: Next): Promise<Response | void> {
  if (isOfOtherSite(c)) {
    const message = 'The sandbox does not answer pages of other sites';
    return c.json({ error: { message, type: 'OAuthException', code: 200 } }, 403);
  }
  return next();
}

function isOfOtherSite(c: Context): boolean {
  if (SHOWN_ELSEWHERE.test(c.req.path)) return false;
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== new URL(c.req.url).origin) return true;
  const site = c.req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  // The page for people, and the pages where they sign in or give consent.
  const isPage = /^\/$|\/authorize$/.test(c.req.path) && c.req.method === 'GET';
  return !(isPage && c.req.header('sec-fetch-dest') === 'document');
}

/** True for requests that a browser made: only they can come from another site. */
export function isOfBrowser(request: IncomingMessage): boolean {
  return request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
}
