import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '@app/domain/network/loopback';
import type { Context } from 'hono';
import type { Config } from './config.ts';

/**
 * What the operator alone may ask: with the token (`METRICS_TOKEN`), or without one from this machine, as long as the product is for this
 * machine alone. Where it has a public address or a proxy in front, every request may come through a proxy that adds no header.
 */
export function createOperatorAccess({
  metricsToken: token,
  isLocalOnly,
  trustedProxies,
}: Pick<Config, 'metricsToken' | 'isLocalOnly' | 'trustedProxies'>): (c: Context) => boolean {
  return (c) => {
    const { incoming } = c.env as { incoming: IncomingMessage }; // handed on by the listener
    if (token !== undefined) return bringsToken(c.req.raw, token);
    return isLocalOnly && trustedProxies === 0 && isFromHere(incoming);
  };
}

/** A proxy on this machine would lend its address to everybody: whoever comes through one names another host, or is forwarded. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined;
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  return !isForwarded && isLoopback(name) && isLoopback(socket.remoteAddress?.replace('::ffff:', '') ?? '');
}

function bringsToken(request: Request, token: string): boolean {
  const brought = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(brought), digest(token));
}
