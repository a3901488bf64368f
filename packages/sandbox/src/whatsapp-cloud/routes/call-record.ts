import type { Context } from 'hono';
import type { Platform } from '../platform.ts';
import type { GraphEnv } from './graph-env.ts';

const SHOWN = 4000;

/** Writes a call into the log of the page, without its token. */
export async function recordCall(
  platform: Platform,
  c: Context<GraphEnv>,
  milliseconds: number,
): Promise<void> {
  const type = c.res.headers.get('content-type') ?? '';
  const response = type.includes('json') ? (await c.res.clone().text()).slice(0, SHOWN) : `(${type})`;
  const isText = (c.req.header('content-type') ?? '').includes('json') && c.res.status !== 413;
  const request =
    isText && c.req.method !== 'GET' ? (await c.req.text().catch(() => '')).slice(0, SHOWN) : '';
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.delete('access_token');
  const query = searchParams.size > 0 ? `?${searchParams.toString()}` : '';
  platform.calls.add({
    at: Date.now(),
    method: c.req.method,
    path: pathname + query,
    status: c.res.status,
    milliseconds,
    request: request.replace(/("access_token"\s*:\s*)"[^"]*"/g, '$1"…"'),
    response,
  });
  platform.changed();
}
