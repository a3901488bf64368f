import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '@app/domain/network/loopback';
import type { Context } from 'hono';

/** What the operator alone may ask: from this machine, or with the token (`METRICS_TOKEN`) once there is one. */
export function createOperatorAccess(token: string | undefined): (c: Context) => boolean {
  return (c) => {
    const { incoming } = c.env as { incoming: IncomingMessage }; // handed on by the listener
    return token === undefined ? isFromHere(incoming) : bringsToken(c.req.raw, token);
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
