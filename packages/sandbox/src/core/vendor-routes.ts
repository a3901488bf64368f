import { Hono, type Context } from 'hono';
import { objectOf, objectsOf, textOf } from './json.ts';
import { mountPeople } from './made-people.ts';
import { mountSwitches } from './mount-switches.ts';
import type { VendorAccount } from './vendor-account.ts';

type Faults = {
  /** How the vendor answers above its limit. */
  limit: (c: Context, retryAfterSeconds: number | null) => Response;
  unavailable: (c: Context) => Response;
};

/** The beginning of a vendor's API: delays, faults, its own clock, and the log of calls. */
export function vendorRoutes(account: VendorAccount, { limit, unavailable }: Faults): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    const { latencyMs } = account.behaviour;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const fault = account.takeFault();
    if (fault === 'limit') c.res = limit(c, account.behaviour.retryAfterSeconds);
    else if (fault === 'unavailable') c.res = unavailable(c);
    else if (fault === 'html')
      c.res = c.html('<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>', 502);
    else await next();
    c.res.headers.set('date', new Date(Date.now() + account.behaviour.clockAheadMs).toUTCString());
    account.calls.add({
      ...{ at: new Date().toISOString(), method: c.req.method, path: c.req.path, status: c.res.status },
    });
  });
  return app;
}

/** `/_sandbox/{vendor}/*`: records to change by hand, switches, events and the log of calls. */
export function vendorControls(account: VendorAccount): Hono {
  const app = new Hono();
  app.onError((error, c) => c.json({ error: { message: error.message } }, 400));
  app.get('/records', (c) => c.json({ records: account.listRecords() }));
  // `{ records: [{ id?, values, isDeleted? }] }`: what has an id is changed, the rest is added.
  app.put('/records', async (c) => {
    const body = objectOf(await c.req.json().catch(() => undefined));
    const known = new Set(account.listRecords().map(({ id }) => id));
    const changed = objectsOf(body['records']).map(({ id, values, isDeleted }) => {
      const key = textOf(id) ?? null;
      if (key !== null && !known.has(key)) throw new Error(`There is no record ${key}.`);
      const put = account.putRecord(key, textsOf(values));
      if (isDeleted === true) account.deleteRecord(put.id);
      return { ...put, isDeleted: isDeleted === true };
    });
    return c.json({ records: changed });
  });
  app.delete('/records', (c) => {
    account.clearRecords();
    return c.json({ success: true });
  });
  mountSwitches(app, account);
  if (account.personOf) mountPeople(app, account);
  app.post('/events/:name', async (c) => {
    const values = textsOf(await c.req.json().catch(() => undefined));
    return c.json(account.happen(c.req.param('name'), values));
  });
  app.get('/calls', (c) => c.json({ calls: [...account.calls.newestFirst()], total: account.calls.total }));
  return app;
}

function textsOf(given: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(given)).map(([name, value]) => [name, textOf(value) ?? '']),
  );
}
