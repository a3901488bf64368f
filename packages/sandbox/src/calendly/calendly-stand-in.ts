import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { objectOf, parseJson, textOf } from '../core/json.ts';
import type { StandIn } from '../core/stand-in.ts';
import { vendorControls, vendorRoutes } from '../core/vendor-routes.ts';
import {
  CALENDLY_API,
  CALENDLY_TOKEN,
  CalendlyAccount,
  type CalendlyInvitee,
  describeEvent,
  describeInvitee,
} from './calendly-account.ts';

export function calendlyStandIn(): StandIn<CalendlyAccount> {
  const account = new CalendlyAccount();
  const events = [
    { name: 'move', text: 'An invitee moves the meeting', value: 'id' },
    { name: 'cancel', text: 'An invitee cancels', value: 'id' },
  ];
  return { account, events, routes: calendlyRoutes(account), controls: vendorControls(account) };
}

/** The API v2 under `/calendly`. */
function calendlyRoutes(account: CalendlyAccount): Hono {
  const app = vendorRoutes(account, {
    limit: (c, retryAfter) =>
      c.json({ title: 'Too Many Requests', message: 'You have exceeded the limit of requests.' }, 429, {
        'x-ratelimit-reset': String(retryAfter ?? 60),
      }),
    unavailable: (c) => c.json({ title: 'Service Unavailable', message: 'Try again later.' }, 503),
  });
  app.use('*', async (c, next) => {
    if (account.behaviour.isRevoked || c.req.header('authorization') !== `Bearer ${CALENDLY_TOKEN}`)
      return c.json({ title: 'Unauthenticated', message: 'The access token is invalid' }, 401);
    await next();
    return undefined;
  });
  app.get('/users/me', (c) =>
    c.json({
      resource: {
        ...{ uri: `${CALENDLY_API}/users/U1`, name: 'Barro & Sal', email: 'hello@barro.example' },
        ...{ timezone: 'Europe/Madrid', current_organization: `${CALENDLY_API}/organizations/O1` },
      },
    }),
  );
  app.get('/scheduled_events', (c) => {
    const query = (name: string) => c.req.query(name) ?? '';
    const invalid = { title: 'Invalid Argument', message: 'The supplied parameters are invalid.' };
    if (query('organization') === '' && query('user') === '') return c.json(invalid, 400);
    const [from, until] = [Date.parse(query('min_start_time')), Date.parse(query('max_start_time'))];
    const email = query('invitee_email').toLowerCase();
    const seen = new Set<string>();
    const direction = query('sort') === 'start_time:desc' ? -1 : 1;
    const found = [...account.invitees.values()]
      .filter((one) => !(one.startsAt < from) && !(one.startsAt > until))
      .filter((one) => email === '' || one.email.toLowerCase() === email)
      .filter(({ event }) => !seen.has(event) && seen.add(event))
      .toSorted((one, other) => (one.startsAt - other.startsAt || (one.id < other.id ? -1 : 1)) * direction);
    return c.json(pageOf(c, found, describeEvent));
  });
  app.get('/scheduled_events/:id/invitees', (c) => {
    const known = [...account.invitees.values()].filter(({ event }) => event === c.req.param('id'));
    if (known.length === 0)
      return c.json({ title: 'Resource Not Found', message: 'The server could not find it.' }, 404);
    return c.json(pageOf(c, known, describeInvitee));
  });
  app.get('/webhook_subscriptions', (c) =>
    c.json({
      collection: [...account.subscriptions].map(([uri, { url }]) => ({
        uri,
        callback_url: url,
        state: 'active',
      })),
      pagination: { count: account.subscriptions.size, next_page_token: null },
    }),
  );
  app.post('/webhook_subscriptions', async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const [url, key] = [textOf(body['url']) ?? '', textOf(body['signing_key']) ?? ''];
    if ([...account.subscriptions.values()].some((one) => one.url === url))
      return c.json({ title: 'Already Exists', message: 'Hook with this url already exists' }, 409);
    const uri = `${CALENDLY_API}/webhook_subscriptions/${randomUUID()}`;
    account.subscriptions.set(uri, { url, key });
    return c.json({ resource: { uri, callback_url: url, state: 'active' } }, 201);
  });
  app.delete('/webhook_subscriptions/:id', (c) => {
    const uri = `${CALENDLY_API}/webhook_subscriptions/${c.req.param('id')}`;
    if (account.subscriptions.delete(uri)) return c.body(null, 204);
    return c.json({ title: 'Resource Not Found', message: 'The server could not find it.' }, 404);
  });
  return app;
}

/** At most 100 of a list, and where the rest begins. */
function pageOf(
  c: Context,
  all: readonly CalendlyInvitee[],
  describe: (one: CalendlyInvitee) => object,
): object {
  const [count, start] = [
    Math.min(Number(c.req.query('count') || 20), 100),
    Number(c.req.query('page_token') || 0),
  ];
  const next = start + count < all.length ? String(start + count) : null;
  return {
    collection: all.slice(start, start + count).map(describe),
    pagination: { count, next_page: null, next_page_token: next },
  };
}
