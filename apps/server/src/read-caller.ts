import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * The caller's network address. Each trusted proxy in front has added one entry at the right of `X-Forwarded-For`; whatever
 * stands further left was written by the caller. Without a trusted proxy the header is not read; `X-Forwarded-Host` and
 * `X-Forwarded-Proto` never are, because PUBLIC_URL says what they would.
 */
export function readCallerAddress(incoming: IncomingMessage, trustedProxies: number): string | null {
  const direct = incoming.socket.remoteAddress?.replace(MAPPED, '') ?? null;
  const header = trustedProxies > 0 ? incoming.headers['x-forwarded-for'] : undefined;
  const told = [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .slice(-trustedProxies || undefined);
  let address = direct;
  for (const entry of header === undefined ? [] : told.reverse()) {
    const name = readAddress(entry);
    // A proxy that writes no address leaves its own: the nearest that is known.
    if (!name) break;
    address = name;
  }
  return address;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function readAddress(entry: string): string | null {
  const text = entry.trim();
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  const name = (isIP(bare) ? bare : bare.replace(/:\d+$/, '')).replace(MAPPED, '');
  return isIP(name) ? name : null;
}
