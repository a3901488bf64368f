import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { listOf, objectOf, objectsOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import { mountActivities } from './hubspot-activities.ts';
import { HUBSPOT_TOKEN, isoOf, type HubspotAccount, type HubspotContact } from './hubspot-account.ts';
import { HubspotError, invalid, notFound } from './hubspot-error.ts';
import { searchContacts } from './search-contacts.ts';

const CONTACTS = '/crm/objects/2026-09/contacts';
const MOST_INPUTS = 100;
/** Associations that the answer about one contact lists. */
const NOTES_SHOWN = 100;

/** The vendor's API under `/hubspot`. */
export function hubspotRoutes(account: HubspotAccount): Hono {
  const app = new Hono();
  // The form of an address before versions were dates: the public client of the vendor uses it.
  app.all('/crm/v3/:area/*', async (c) => {
    const { pathname, search, origin } = new URL(c.req.url);
    const [area, ...rest] = pathname.slice(pathname.indexOf('/crm/v3/') + '/crm/v3/'.length).split('/');
    const { method, raw } = c.req;
    const body = ['GET', 'HEAD'].includes(method) ? null : await c.req.arrayBuffer();
    const dated = `${origin}/crm/${area ?? ''}/2026-09/${rest.join('/')}${search}`;
    return app.fetch(new Request(dated, { method, headers: raw.headers, body }));
  });
  app.use('*', async (c, next) => {
    const { latencyMs } = account.behaviour;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    await next();
    c.header('date', new Date(Date.now() + account.behaviour.clockAheadMs).toUTCString());
    account.calls.add({
      ...{ at: new Date().toISOString(), method: c.req.method, path: c.req.path, status: c.res.status },
    });
  });
  app.onError((error, c) => {
    if (!(error instanceof HubspotError)) return c.json({ status: 'error', message: error.message }, 500);
    return c.json(error.body, error.status as ContentfulStatusCode, error.headers);
  });
  app.use('*', async (c, next) => {
    const fault = takeFault(account);
    if (fault instanceof HubspotError) throw fault;
    if (fault) return c.html(fault, 502);
    if (account.behaviour.isRevoked || c.req.header('authorization') !== `Bearer ${HUBSPOT_TOKEN}`)
      throw new HubspotError(
        ...([401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.'] as const),
      );
    await next();
    return undefined;
  });

  app.get('/account-info/2026-09/details', (c) =>
    c.json({
      ...{ portalId: 4242, accountType: 'STANDARD', timeZone: 'Europe/Madrid', companyCurrency: 'EUR' },
      ...{ uiDomain: 'app.hubspot.example', dataHostingLocation: 'eu1' },
    }),
  );
  app.get('/crm/properties/2026-09/contacts', (c) =>
    c.json({
      results: [...account.properties.values()].map(({ isReadOnly, options = [], ...property }) => ({
        ...{ ...property, fieldType: options.length > 0 ? 'radio' : 'text', groupName: 'contactinformation' },
        options: options.map((option, place) => ({ ...option, displayOrder: place, hidden: false })),
        modificationMetadata: { readOnlyValue: isReadOnly, archivable: true },
      })),
    }),
  );
  app.post('/crm/properties/2026-09/contacts', async (c) => {
    const body = await bodyOf(c);
    const [name, label, type] = ['name', 'label', 'type'].map((key) => textOf(body[key]));
    if (!name || !label || !type) throw invalid('name, label and type are needed');
    if (account.properties.has(name))
      throw new HubspotError(409, 'OBJECT_ALREADY_EXISTS', `Property named "${name}" already exists.`);
    const hasUniqueValue = body['hasUniqueValue'] === true;
    account.properties.set(name, { name, label, type, isReadOnly: false, hasUniqueValue });
    return c.json({ name, label, type, hasUniqueValue }, 201);
  });

  app.get(CONTACTS, (c) => {
    const limit = Number(c.req.query('limit') ?? 10);
    if (!(limit >= 1 && limit <= 100)) throw invalid('limit must be between 1 and 100');
    const isArchived = c.req.query('archived') === 'true';
    const after = Number(c.req.query('after') ?? 0);
    const wanted = (c.req.query('properties') ?? '').split(',').filter(Boolean);
    const rest = [...account.contacts.values()].filter(
      ({ id, archived }) => archived === isArchived && Number(id) > after,
    );
    const shown = rest.slice(0, limit);
    const last = shown.at(-1);
    return c.json({
      results: shown.map((contact) => describe(account, contact, wanted)),
      ...(rest.length > limit && last && { paging: { next: { after: last.id, link: '' } } }),
    });
  });
  app.post(`${CONTACTS}/search`, async (c) => {
    const body = await bodyOf(c);
    const { total, found, after } = searchContacts(account, body);
    const wanted = namesOf(body);
    return c.json({
      total,
      results: found.map((contact) => describe(account, contact, wanted)),
      ...(after !== null && { paging: { next: { after } } }),
    });
  });
  app.post(`${CONTACTS}/batch/read`, async (c) => {
    const body = await bodyOf(c);
    const found = inputsOf(body).flatMap(({ id }) => {
      const contact = account.contacts.get(textOf(id) ?? '');
      return contact && !contact.archived ? [describe(account, contact, namesOf(body))] : [];
    });
    return c.json({ status: 'COMPLETE', results: found });
  });
  app.post(`${CONTACTS}/batch/create`, (c) => batch(account, c, createOne, 201));
  app.post(`${CONTACTS}/batch/update`, (c) => batch(account, c, updateOne));
  app.post(`${CONTACTS}/batch/upsert`, (c) => batch(account, c, upsertOne));
  app.post(`${CONTACTS}/batch/archive`, async (c) => {
    for (const { id } of inputsOf(await bodyOf(c))) {
      const contact = account.contacts.get(textOf(id) ?? '');
      if (contact) account.archive(contact);
    }
    return c.body(null, 204);
  });
  app.post(CONTACTS, async (c) => {
    const contact = account.create(propertiesOf(account, await bodyOf(c)));
    return c.json(describe(account, contact, Object.keys(contact.properties)), 201);
  });
  app.post(`${CONTACTS}/merge`, async (c) => {
    const body = await bodyOf(c);
    const [primary, other] = ['primaryObjectId', 'objectIdToMerge'].map((key) =>
      account.contacts.get(textOf(body[key]) ?? ''),
    );
    if (!primary || !other || primary === other) throw invalid('two contacts are needed');
    const merged = account.merge(primary, other);
    return c.json(describe(account, merged, Object.keys(merged.properties)));
  });
  app.get(`${CONTACTS}/:id`, (c) => {
    const contact = find(account, c);
    const shown = describe(account, contact, (c.req.query('properties') ?? '').split(','));
    const withNotes = (c.req.query('associations') ?? '').split(',').includes('notes');
    return c.json(withNotes ? { ...shown, ...notesOf(account, contact) } : shown);
  });
  app.patch(`${CONTACTS}/:id`, async (c) => {
    const contact = find(account, c);
    account.update(contact, propertiesOf(account, await bodyOf(c)));
    return c.json(describe(account, contact, Object.keys(contact.properties)));
  });
  app.delete(`${CONTACTS}/:id`, (c) => {
    account.archive(find(account, c));
    return c.body(null, 204);
  });
  mountActivities(app, account);
  return app;
}

/** The first page of its associations; a contact without notes has none. */
function notesOf({ activities }: HubspotAccount, { id }: HubspotContact): JsonObject {
  const all = activities.filter(({ type, contactIds }) => type === 'notes' && contactIds.includes(id));
  if (all.length === 0) return {};
  const shown = all.slice(0, NOTES_SHOWN).map((note) => ({ id: note.id, type: 'note_to_contact' }));
  const more = all.length > NOTES_SHOWN && { paging: { next: { after: shown.at(-1)?.id ?? '', link: '' } } };
  return { associations: { notes: { results: shown, ...more } } };
}

function takeFault(account: HubspotAccount): HubspotError | string | null {
  const { behaviour } = account;
  if (behaviour.rejectNext > 0) {
    behaviour.rejectNext -= 1;
    const { policyName, retryAfterSeconds } = behaviour;
    return new HubspotError(429, 'RATE_LIMITS', `You have reached your ${policyName.toLowerCase()} limit.`, {
      ...{ errorType: 'RATE_LIMIT', policyName },
      ...(retryAfterSeconds !== null && { retryAfter: String(retryAfterSeconds) }),
    });
  }
  if (behaviour.failNext > 0) {
    behaviour.failNext -= 1;
    return new HubspotError(503, 'SERVICE_UNAVAILABLE', 'The service is not available.');
  }
  if (behaviour.htmlNext > 0) {
    behaviour.htmlNext -= 1;
    return '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>';
  }
  return null;
}

type One = (account: HubspotAccount, input: JsonObject) => { contact: HubspotContact; isNew: boolean };

/** What cannot be done is told beside what was: 207. */
async function batch(
  account: HubspotAccount,
  c: Context,
  one: One,
  status: 200 | 201 = 200,
): Promise<Response> {
  const results: JsonObject[] = [];
  const errors: JsonObject[] = [];
  for (const input of inputsOf(await bodyOf(c))) {
    const trace = textOf(input['objectWriteTraceId']);
    try {
      const { contact, isNew } = one(account, input);
      results.push({
        ...describe(account, contact, Object.keys(contact.properties)),
        ...(trace !== undefined && { objectWriteTraceId: trace }),
        new: isNew,
      });
    } catch (error) {
      if (!(error instanceof HubspotError)) throw error;
      errors.push({
        ...error.body,
        context: {
          ids: [textOf(input['id']) ?? ''],
          ...(trace !== undefined && { objectWriteTraceId: [trace] }),
        },
      });
    }
  }
  const now = isoOf(Date.now());
  return c.json(
    {
      ...{ status: 'COMPLETE', startedAt: now, completedAt: now, results },
      ...(errors.length > 0 && { numErrors: errors.length, errors }),
    },
    errors.length > 0 ? 207 : status,
  );
}

const createOne: One = (account, input) => ({
  contact: account.create(propertiesOf(account, input)),
  isNew: true,
});

const updateOne: One = (account, input) => {
  const contact = account.contacts.get(textOf(input['id']) ?? '');
  if (!contact || contact.archived) throw notFound();
  account.update(contact, propertiesOf(account, input));
  return { contact, isNew: false };
};

const upsertOne: One = (account, input) => {
  const property = textOf(input['idProperty']) ?? '';
  if (!account.properties.get(property)?.hasUniqueValue)
    throw invalid(`${property} is not a unique property`);
  const value = textOf(input['id']) ?? '';
  const properties = { ...propertiesOf(account, input), [property]: value };
  const known = account.findBy(property, value);
  if (!known) return { contact: account.create(properties), isNew: true };
  account.update(known, properties);
  return { contact: known, isNew: false };
};

function describe(account: HubspotAccount, contact: HubspotContact, wanted: readonly string[]): JsonObject {
  const all = account.read(contact);
  const names = [...new Set([...wanted, 'createdate', 'lastmodifieddate', 'hs_object_id'])];
  const { id, archived, archivedAt, createdAt, updatedAt } = contact;
  return {
    ...{ id, archived, createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) },
    ...(archivedAt !== null && { archivedAt: isoOf(archivedAt) }),
    properties: Object.fromEntries(
      names.filter((name) => account.properties.has(name)).map((name) => [name, all[name] ?? null]),
    ),
  };
}

function find(account: HubspotAccount, c: Context): HubspotContact {
  const key = c.req.param('id') ?? '';
  const property = c.req.query('idProperty');
  const contact = property ? account.findBy(property, key) : account.contacts.get(key);
  if (!contact || contact.archived) throw notFound();
  return contact;
}

function propertiesOf(account: HubspotAccount, body: JsonObject): Record<string, string> {
  const given = objectOf(body['properties']);
  const unknown = account.findUnknown(given);
  if (unknown !== undefined)
    throw new HubspotError(400, 'VALIDATION_ERROR', `Property "${unknown}" does not exist`, {
      errors: [{ code: 'PROPERTY_DOESNT_EXIST', message: `Property "${unknown}" does not exist` }],
    });
  const properties = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, textOf(value) ?? '']),
  );
  const email = properties['email'];
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw invalid(`Email address ${email} is invalid`);
  return properties;
}

function inputsOf(body: JsonObject): JsonObject[] {
  const inputs = objectsOf(body['inputs']);
  if (inputs.length > MOST_INPUTS) throw invalid(`At most ${MOST_INPUTS} inputs at once`);
  return inputs;
}

const namesOf = (body: JsonObject): string[] =>
  listOf(body['properties']).flatMap((name) => textOf(name) ?? []);

async function bodyOf(c: Context): Promise<JsonObject> {
  return objectOf(parseJson(await c.req.text()));
}
