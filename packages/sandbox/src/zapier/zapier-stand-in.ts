import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { isObject } from '../core/json.ts';
import type { StandIn } from '../core/stand-in.ts';
import { vendorControls, vendorRoutes } from '../core/vendor-routes.ts';
import { ZapierAccount } from './zapier-account.ts';

/** `/zapier/hooks/catch/{account}/{hook}/` and `/zapier/hooks/standard/…`, the addresses of catch hooks and of REST hooks. */
export function zapierStandIn(): StandIn<ZapierAccount> {
  const account = new ZapierAccount();
  const routes = vendorRoutes(account, {
    limit: (c, seconds) =>
      c.json({ status: 'error', message: 'Too many requests.' }, 429, {
        ...(seconds !== null && { 'retry-after': String(seconds) }),
      }),
    unavailable: (c) => c.json({ status: 'error' }, 503),
  });
  const take = async (c: Context) => {
    if (account.behaviour.isRevoked)
      return c.json({ status: 'error', message: 'please unsubscribe me!' }, 404);
    if (account.behaviour.isUnsubscribed) return c.json({ status: 'please unsubscribe me!' }, 410);
    const body: unknown = await c.req.json().catch(() => undefined);
    if (!isObject(body) && !Array.isArray(body)) return c.json({ status: 'error', message: 'No JSON.' }, 400);
    const id = account.catch(`${c.req.param('account')}/${c.req.param('hook')}`, body);
    // Also for a Zap that is off.
    return c.json({ status: 'success', id, attempt: id, request_id: randomUUID() });
  };
  routes.post('/hooks/catch/:account/:hook/', take);
  routes.post('/hooks/standard/:account/:hook/', take);
  return { account, routes, controls: vendorControls(account) };
}
