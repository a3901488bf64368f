import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { objectOf, objectsOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import type { StandIn } from '../core/stand-in.ts';
import { isoOf } from '../core/vendor-account.ts';
import { vendorControls, vendorRoutes } from '../core/vendor-routes.ts';
import {
  hashOf,
  MAILCHIMP_KEY,
  MailchimpAccount,
  MailchimpRejection,
  type MailchimpMember,
} from './mailchimp-account.ts';
import { mountWebhooks } from './mailchimp-webhooks.ts';

export function mailchimpStandIn(): StandIn<MailchimpAccount> {
  const account = new MailchimpAccount();
  const events = [{ name: 'forget', text: 'A member is deleted for good', value: 'id' }];
  return { account, events, routes: mailchimpRoutes(account), controls: vendorControls(account) };
}

const LIST = '/3.0/lists/:list';
const MOST_MEMBERS = 500;

/** The Marketing API under `/mailchimp/3.0`. */
function mailchimpRoutes(account: MailchimpAccount): Hono {
  const app = vendorRoutes(account, {
    limit: (c, retryAfter) => {
      const response = problem(
        c,
        429,
        'Too Many Requests',
        'You have exceeded the limit of 10 simultaneous connections.',
      );
      if (retryAfter !== null) response.headers.set('retry-after', String(retryAfter));
      return response;
    },
    unavailable: (c) => problem(c, 503, 'Service Unavailable', 'The service is not available.'),
  });
  app.onError((error, c) => {
    if (error instanceof MailchimpRejection) return problem(c, 400, 'Invalid Resource', error.message);
    throw error;
  });
  app.use('*', async (c, next) => {
    const key = c.req.header('authorization') ?? '';
    const basic = Buffer.from(key.replace(/^Basic /, ''), 'base64').toString();
    const isKnown = key === `Bearer ${MAILCHIMP_KEY}` || basic.endsWith(`:${MAILCHIMP_KEY}`);
    if (!isKnown || account.behaviour.isRevoked)
      return problem(
        c,
        401,
        'API Key Invalid',
        'Your API key may be invalid, or you’ve attempted to access the wrong datacenter.',
      );
    await next();
    return undefined;
  });
  app.get('/3.0/ping', (c) => c.json({ health_status: "Everything's Chimpy!" }));
  app.get('/3.0/', (c) => c.json({ account_id: '8d3a3db4d9', account_name: 'Barro & Sal' }));
  app.get('/3.0/lists', (c) => c.json({ lists: account.lists, total_items: account.lists.length }));
  app.use(`${LIST}/*`, async (c, next) => {
    const isKnown = account.lists.some(({ id }) => id === c.req.param('list'));
    if (!isKnown) return problem(c, 404, 'Resource Not Found', 'The requested resource could not be found.');
    await next();
    return undefined;
  });
  app.get(`${LIST}/merge-fields`, (c) =>
    c.json({
      merge_fields: ['FNAME', 'LNAME', 'PHONE', 'BIRTHDAY'].map((tag) => ({ tag, name: tag, type: 'text' })),
    }),
  );
  app.get(`${LIST}/members`, (c) => {
    const since = Date.parse(c.req.query('since_last_changed') ?? '') || 0;
    const [count, offset] = [Number(c.req.query('count') ?? 10), Number(c.req.query('offset') ?? 0)];
    const wanted = c.req.query('status');
    const found = [...account.members.values()]
      .filter(({ status }) => (wanted ? status === wanted : status !== 'archived'))
      .filter(({ changedAt }) => secondOf(changedAt) > since)
      .toSorted((one, other) => one.changedAt - other.changedAt);
    const members = found.slice(offset, offset + Math.min(count, 1_000)).map((one) => describe(account, one));
    return c.json({ members, list_id: c.req.param('list'), total_items: found.length });
  });
  app.get(`${LIST}/members/:key`, (c) => {
    const known = account.find(c.req.param('key'));
    return known ? c.json(describe(account, known)) : missing(c);
  });
  app.put(`${LIST}/members/:key`, async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const values = valuesOf(body);
    const known = account.find(c.req.param('key'));
    checkRequired(c, account, { ...known?.mergeFields, ...values.mergeFields });
    const member = known
      ? account.change(known, values)
      : account.add({ ...values, status: values.status ?? textOf(body['status_if_new']) });
    return c.json(describe(account, member));
  });
  app.patch(`${LIST}/members/:key`, async (c) => {
    const known = account.find(c.req.param('key'));
    if (!known) return missing(c);
    const values = valuesOf(objectOf(parseJson(await c.req.text())));
    checkRequired(c, account, { ...known.mergeFields, ...values.mergeFields });
    return c.json(describe(account, account.change(known, values)));
  });
  app.delete(`${LIST}/members/:key`, (c) => {
    const known = account.find(c.req.param('key'));
    if (!known || known.status === 'archived') return missing(c);
    account.change(known, { status: 'archived', mergeFields: {}, source: 'api' });
    return c.body(null, 204);
  });
  app.post(`${LIST}/members/:key/tags`, async (c) => {
    const known = account.find(c.req.param('key'));
    if (!known) return missing(c);
    const tags = objectsOf(objectOf(parseJson(await c.req.text()))['tags']);
    account.tag(
      known,
      tags.map(({ name, status }) => ({ name: textOf(name) ?? '', isActive: status === 'active' })),
    );
    return c.body(null, 204);
  });
  mountWebhooks(app, account, `${LIST}/webhooks`);
  app.post(LIST, async (c) => {
    if (!account.lists.some(({ id }) => id === c.req.param('list'))) return missing(c);
    return c.json(writeMany(account, objectOf(parseJson(await c.req.text()))));
  });
  return app;
}

/** Up to 500 members at once; one that is refused takes no other along. */
function writeMany(account: MailchimpAccount, body: JsonObject): JsonObject {
  const members = objectsOf(body['members']);
  if (members.length > MOST_MEMBERS)
    throw new MailchimpRejection(`Only ${MOST_MEMBERS} members can be processed at once.`);
  const [added, updated, errors]: [JsonObject[], JsonObject[], JsonObject[]] = [[], [], []];
  for (const one of members) {
    const values = valuesOf(one);
    const known = account.find(values.email ?? '');
    try {
      if (known && body['update_existing'] !== true)
        throw new MailchimpRejection(`${values.email ?? ''} is already a list member.`);
      if (known) updated.push(describe(account, account.change(known, values)));
      else added.push(describe(account, account.add(values)));
    } catch (error) {
      if (!(error instanceof MailchimpRejection)) throw error;
      errors.push({ email_address: values.email ?? '', error: error.message, error_code: 'ERROR_GENERIC' });
    }
  }
  return {
    ...{ new_members: added, updated_members: updated, errors, error_count: errors.length },
    ...{ total_created: added.length, total_updated: updated.length },
  };
}

function checkRequired(c: Context, { behaviour }: MailchimpAccount, merged: Record<string, string>): void {
  const { requiredField } = behaviour;
  if (requiredField !== '' && !merged[requiredField] && c.req.query('skip_merge_validation') !== 'true')
    throw new MailchimpRejection(`Your merge fields were invalid: ${requiredField} - Please enter a value`);
}

/** Times of the vendor are whole seconds. */
const secondOf = (at: number): number => Math.floor(at / 1_000) * 1_000;

function valuesOf(body: JsonObject) {
  return {
    source: 'api' as const,
    ...{
      email: textOf(body['email_address']),
      status: textOf(body['status']),
      language: textOf(body['language']),
    },
    mergeFields: Object.fromEntries(
      Object.entries(objectOf(body['merge_fields'])).map(([tag, value]) => [tag, textOf(value) ?? '']),
    ),
  };
}

function describe({ lists }: MailchimpAccount, one: MailchimpMember): JsonObject {
  return {
    ...{ id: hashOf(one.email), contact_id: one.contactId, email_address: one.email, status: one.status },
    ...{ merge_fields: one.mergeFields, language: one.language, list_id: lists[0]?.id },
    ...{ tags: [...one.tags].map(([name, id]) => ({ id, name })), tags_count: one.tags.size },
    last_changed: isoOf(secondOf(one.changedAt)).replace('.000Z', '+00:00'),
  };
}

const missing = (c: Context) =>
  problem(c, 404, 'Resource Not Found', 'The requested resource could not be found.');

function problem(c: Context, status: 400 | 401 | 404 | 429 | 503, title: string, detail: string): Response {
  const type = 'https://mailchimp.com/developer/marketing/docs/errors/';
  return c.json({ type, title, status, detail, instance: randomUUID() }, status, {
    'content-type': 'application/problem+json',
  });
}
