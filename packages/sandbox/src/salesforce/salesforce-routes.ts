import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { listOf, objectOf, objectsOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import { vendorRoutes } from '../core/vendor-routes.ts';
import {
  SALESFORCE_CLIENT,
  SalesforceError,
  type SalesforceAccount,
  type SalesforceRecord,
} from './salesforce-account.ts';
import { salesforceTypes, type SalesforceType } from './salesforce-objects.ts';
import { parseSoql, selectRows } from './soql.ts';

const VERSION = 'v62.0';
const BASE = `/services/data/${VERSION}`;
/** Of one request about several records. */
const MOST_RECORDS = 200;

/** The OAuth and REST API of an organisation under `/salesforce`. */
export function salesforceRoutes(account: SalesforceAccount): Hono {
  const app = vendorRoutes(account, {
    limit: (c, retryAfter) => {
      const words = 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.';
      const response = fail(c, 403, 'REQUEST_LIMIT_EXCEEDED', words);
      if (retryAfter !== null) response.headers.set('retry-after', String(retryAfter));
      return response;
    },
    unavailable: (c) => fail(c, 503, 'SERVER_UNAVAILABLE', 'The server is temporarily unavailable.'),
  });
  app.onError((error, c) => {
    if (!(error instanceof SalesforceError)) throw error;
    return fail(c, error.code === 'NOT_FOUND' ? 404 : 400, error.code, error.message, error.fields);
  });
  const bodyOf = async (c: Context) => objectOf(parseJson(await c.req.text()));

  app.post('/services/oauth2/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const refuse = (error: string, words: string) => c.json({ error, error_description: words }, 400);
    if (form.get('grant_type') !== 'client_credentials')
      return refuse('unsupported_grant_type', 'grant type not supported');
    const isKnown =
      form.get('client_id') === SALESFORCE_CLIENT.id &&
      form.get('client_secret') === SALESFORCE_CLIENT.secret;
    if (!isKnown || account.behaviour.isRevoked)
      return refuse('invalid_client', 'invalid client credentials');
    const origin = new URL(c.req.url).origin;
    return c.json({
      ...{ access_token: account.beginSession(), token_type: 'Bearer', token_format: 'opaque', scope: 'api' },
      ...{ instance_url: `${origin}/salesforce`, issued_at: String(Date.now()), signature: 'c2FuZGJveA==' },
      id: 'https://login.salesforce.com/id/00DRO0000000001AAA/005RO0000000001AAA',
    });
  });
  app.get('/services/data', (c) =>
    c.json([{ label: "Winter '25", url: `/services/data/${VERSION}`, version: VERSION.slice(1) }]),
  );
  app.use(`${BASE}/*`, async (c, next) => {
    if (!account.isOpen(sessionOf(c)))
      return fail(c, 401, 'INVALID_SESSION_ID', 'Session expired or invalid');
    const { behaviour } = account;
    if (behaviour.dailyUsed >= behaviour.dailyMost)
      return fail(c, 403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.');
    behaviour.dailyUsed += 1;
    await next();
    c.res.headers.set('sforce-limit-info', `api-usage=${behaviour.dailyUsed}/${behaviour.dailyMost}`);
    return undefined;
  });
  app.get(`${BASE}/limits`, (c) => {
    const { dailyMost, dailyUsed } = account.behaviour;
    return c.json({ DailyApiRequests: { Max: dailyMost, Remaining: dailyMost - dailyUsed } });
  });
  app.get(`${BASE}/sobjects/:type/describe`, (c) => {
    const type = typeOf(c.req.param('type'));
    const fields = account.fieldsOf(type).map(({ isRequired, updateable, options = [], ...field }) => ({
      ...{
        ...field,
        updateable,
        createable: updateable,
        nillable: !isRequired,
        custom: field.name.endsWith('__c'),
      },
      picklistValues: options.map((value) => ({ active: true, defaultValue: false, label: value, value })),
    }));
    return c.json({
      name: type,
      label: type,
      fields,
      queryable: true,
      createable: true,
      childRelationships: [],
    });
  });

  const query = (isAll: boolean) => (c: Context) => {
    const soql = parseSoql(c.req.query('q') ?? '');
    const type = typeOf(soql.from);
    const known = new Set(account.fieldsOf(type).map(({ name }) => name));
    const unknown = soql.named.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new SalesforceError('INVALID_FIELD', `No such column '${unknown}' on entity '${type}'.`);
    const rows = account
      .list(type)
      .filter(({ isDeleted }) => isAll || !isDeleted)
      .map((record) => account.read(record));
    const found = selectRows(rows, soql).map((row) => describe(type, row, soql.columns));
    return c.json(page(account, sessionOf(c), found, found.length));
  };
  app.get(`${BASE}/query`, query(false));
  app.get(`${BASE}/queryAll`, query(true));
  app.get(`${BASE}/query/:locator`, (c) => {
    const [key = '', total = '0'] = c.req.param('locator').split('-');
    const held = account.locators.get(c.req.param('locator'));
    if (!key || !held) throw new SalesforceError('INVALID_QUERY_LOCATOR', 'invalid query locator');
    // A session does not read on what another one began.
    if (held.session !== sessionOf(c))
      return fail(c, 401, 'INVALID_SESSION_ID', 'Session expired or invalid');
    return c.json(page(account, held.session, held.rows, Number(total)));
  });

  app.post(`${BASE}/composite/sobjects`, async (c) =>
    c.json(
      eachOf(await bodyOf(c), ({ type, values }) => ({
        record: account.create(type, values),
        created: true,
      })),
    ),
  );
  app.patch(`${BASE}/composite/sobjects`, async (c) =>
    c.json(
      eachOf(await bodyOf(c), ({ type, id, values }) => {
        const record = id === undefined ? undefined : account.records.get(id);
        if (record?.type !== type)
          throw new SalesforceError('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id');
        return { record: account.update(record, values), created: false };
      }),
    ),
  );
  app.patch(`${BASE}/composite/sobjects/:type/:field`, async (c) => {
    const type = typeOf(c.req.param('type'));
    const field = keyOf(account, type, c.req.param('field'));
    return c.json(
      eachOf(await bodyOf(c), ({ values }) =>
        upsert(account, type, field, textOf(values[field]) ?? '', values),
      ),
    );
  });
  app.post(`${BASE}/composite/sobjects/:type`, async (c) => {
    const type = typeOf(c.req.param('type'));
    const body = await bodyOf(c);
    const columns = listOf(body['fields']).map((name) => textOf(name) ?? '');
    return c.json(
      listOf(body['ids']).map((id) => {
        const record = account.find(textOf(id) ?? '');
        return record && record.type === type && !record.isDeleted
          ? describe(type, account.read(record), columns)
          : null;
      }),
    );
  });

  app.post(`${BASE}/sobjects/:type`, async (c) => {
    const { id } = account.create(typeOf(c.req.param('type')), await bodyOf(c));
    return c.json({ id, success: true, errors: [] }, 201);
  });
  app.get(`${BASE}/sobjects/:type/:id`, (c) => {
    const type = typeOf(c.req.param('type'));
    return c.json(describe(type, account.read(findRecord(account, type, c.req.param('id')))));
  });
  app.patch(`${BASE}/sobjects/:type/:id`, async (c) => {
    const record = findRecord(account, typeOf(c.req.param('type')), c.req.param('id'));
    account.update(record, await bodyOf(c));
    return c.body(null, 204);
  });
  app.delete(`${BASE}/sobjects/:type/:id`, (c) => {
    account.remove(findRecord(account, typeOf(c.req.param('type')), c.req.param('id')));
    return c.body(null, 204);
  });
  app.patch(`${BASE}/sobjects/:type/:field/:value`, async (c) => {
    const type = typeOf(c.req.param('type'));
    const field = keyOf(account, type, c.req.param('field'));
    const value = c.req.param('value');
    const { record, created } = upsert(account, type, field, value, { ...(await bodyOf(c)), [field]: value });
    return c.json({ id: record.id, success: true, errors: [], created }, created ? 201 : 200);
  });

  app.get(`${BASE}/analytics/reports`, (c) => c.json(account.reports.map(({ id, name }) => ({ id, name }))));
  app.get(`${BASE}/analytics/reports/:id`, (c) => {
    const report = account.reports.find(({ id }) => id === c.req.param('id'));
    if (!report) throw new SalesforceError('NOT_FOUND', 'The data you’re trying to access is unavailable.');
    const members = report.members.flatMap((id) => account.records.get(id) ?? []);
    const rows = members.map((record) => ({
      dataCells: [
        { label: String(account.read(record)['Name'] ?? ''), value: record.id },
        { label: String(record.values['Email'] ?? '-'), value: record.values['Email'] ?? null },
      ],
    }));
    return c.json({
      ...{ allData: true, hasDetailRows: true, factMap: { 'T!T': { rows, aggregates: [] } } },
      reportMetadata: { id: report.id, name: report.name, detailColumns: ['FULL_NAME', 'EMAIL'] },
    });
  });
  return app;
}

function typeOf(name: string | undefined): SalesforceType {
  const type = salesforceTypes.find((one) => one.toLowerCase() === name?.toLowerCase());
  if (!type) throw new SalesforceError('NOT_FOUND', 'The requested resource does not exist');
  return type;
}

function keyOf(account: SalesforceAccount, type: SalesforceType, name: string): string {
  const field = account.fieldsOf(type).find((one) => one.name === name && one.externalId);
  if (!field)
    throw new SalesforceError(
      'NOT_FOUND',
      `Provided external ID field does not exist or is not accessible: ${name}`,
    );
  return field.name;
}

function findRecord(account: SalesforceAccount, type: SalesforceType, id: string): SalesforceRecord {
  const record = account.records.get(id);
  if (record?.type !== type || record.isDeleted)
    throw new SalesforceError('NOT_FOUND', 'The requested resource does not exist');
  return record;
}

function upsert(
  account: SalesforceAccount,
  type: SalesforceType,
  field: string,
  value: string,
  values: JsonObject,
): { record: SalesforceRecord; created: boolean } {
  const known = account.list(type).find((one) => !one.isDeleted && one.values[field] === value);
  return known
    ? { record: account.update(known, values), created: false }
    : { record: account.create(type, values), created: true };
}

type Written = { type: SalesforceType; id: string | undefined; values: JsonObject };

/** One result for each record, in their order; one that fails takes no other along. */
function eachOf(
  body: JsonObject,
  write: (one: Written) => { record: SalesforceRecord; created: boolean },
): object[] {
  const records = objectsOf(body['records']);
  if (records.length > MOST_RECORDS)
    throw new SalesforceError(
      'EXCEEDED_ID_LIMIT',
      `record limit reached. cannot submit more than ${MOST_RECORDS} records`,
    );
  return records.map(({ attributes, id, Id, ...values }) => {
    try {
      const type = typeOf(textOf(objectOf(attributes)['type']));
      const { record, created } = write({ type, id: textOf(id ?? Id), values });
      return { id: record.id, success: true, errors: [], created };
    } catch (error) {
      if (!(error instanceof SalesforceError)) throw error;
      const { code: statusCode, message, fields } = error;
      return { success: false, errors: [{ statusCode, message, fields }] };
    }
  });
}

function describe(type: SalesforceType, row: Readonly<JsonObject>, columns?: readonly string[]): JsonObject {
  const url = `${BASE}/sobjects/${type}/${String(row['Id'])}`;
  const shown = columns ? Object.fromEntries(columns.map((name) => [name, row[name] ?? null])) : row;
  return { attributes: { type, url }, ...shown };
}

const sessionOf = (c: Context): string =>
  /^(?:Bearer|OAuth) (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';

/** The first rows, and where the others are. */
function page(
  { behaviour, locators }: SalesforceAccount,
  session: string,
  rows: readonly object[],
  total: number,
): object {
  const left = rows.slice(behaviour.pageSize);
  if (left.length === 0) return { totalSize: total, done: true, records: rows };
  const locator = `01g${randomUUID().replaceAll('-', '').slice(0, 12)}-${total}`;
  locators.set(locator, { session, rows: left });
  const records = rows.slice(0, behaviour.pageSize);
  return { totalSize: total, done: false, nextRecordsUrl: `${BASE}/query/${locator}`, records };
}

function fail(
  c: Context,
  status: ContentfulStatusCode,
  errorCode: string,
  message: string,
  fields: readonly string[] = [],
): Response {
  return c.json([{ message, errorCode, ...(fields.length > 0 && { fields }) }], status);
}
