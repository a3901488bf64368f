import { callingCodeOf } from '@app/domain/settings/calling-codes';
import type {
  ContactConnector,
  PushedRecord,
  PushOutcome,
  RemoteRecord,
  Reply,
} from '@app/domain/integrations/contact-connector';
import type { Answer } from '../calls/ask-service.ts';
import { isRecord, parseJson, recordOf, textOf } from '../calls/json-values.ts';
import { readOptions } from '../calls/read-options.ts';
import { VERSION, type HubspotAsk } from './hubspot-ask.ts';
import {
  OPT_OUT_PROPERTY,
  PHONE_PROPERTY,
  propertiesOf,
  readContact,
  writeProperties,
} from './hubspot-fields.ts';

const CONTACTS = `/crm/objects/${VERSION}/contacts`;
const PROPERTIES = `/crm/properties/${VERSION}/contacts`;
const PAGE = 100;
/** A search shows no more. It goes on from the time of the last record, or by id where that is one and the same moment, as after a bulk change. */
const SEARCH_END = 9_900;
/** Search lags behind writes, so each run looks back a little. */
const OVERLAP_MS = 120_000;
/** Deleted records are listed whole, which search does not do: once a day. */
const DELETED_EVERY_MS = 86_400_000;

/**
 * Where a pull is. `list`: everything, from the start; `search`: what changed at or after `since` (ms by the vendor's clock); `deleted`: records
 * in the recycle bin.
 */
type Place = {
  phase: 'list' | 'search' | 'deleted';
  after: string | null;
  /** Where the next run begins. */
  since: number;
  /** The newest change that this run saw. */
  newest: number;
  deletedAt: number;
  /** The search goes through the moment `since` in the order of ids, and is behind this one; null: through the changes since then. */
  behindId: string | null;
};

export function createHubspotContacts(ask: HubspotAsk): ContactConnector {
  let hasProperties = false;
  return {
    async listFields() {
      const reply = await ask('GET', PROPERTIES);
      if (!reply.ok) return reply;
      const listed = resultsOf(reply.value.body).flatMap((raw) => {
        const { name, label, modificationMetadata, options } = recordOf(raw);
        const key = textOf(name);
        if (key === null || ['firstname', 'lastname', 'phone'].includes(key)) return [];
        const isReadOnly = recordOf(modificationMetadata)['readOnlyValue'] === true;
        return [{ name: key, label: textOf(label) ?? key, isReadOnly, ...readOptions(options) }];
      });
      const joined = [
        { name: 'name', label: 'First name + last name', isReadOnly: false },
        { name: 'phone', label: 'Phone', isReadOnly: false },
      ];
      return { ok: true, value: [...joined, ...listed] };
    },

    async pull(cursor, fields) {
      const place = readPlace(cursor);
      const reply = await askForPage(ask, place, fields);
      if (!reply.ok) return reply;
      const { body, headers } = reply.value;
      const records = recordsOf(reply.value, fields);
      const after = textOf(recordOf(recordOf(recordOf(body)['paging'])['next'])['after']);
      const vendorNow = Date.parse(headers['date'] ?? '');
      const next = continueFrom(place, { records, after, vendorNow });
      return { ok: true, value: { records, ...next } };
    },

    async fetch(ids, fields) {
      const reply = await ask('POST', `${CONTACTS}/batch/read`, {
        properties: propertiesOf(fields),
        inputs: ids.map((id) => ({ id })),
      });
      return reply.ok ? { ok: true, value: recordsOf(reply.value, fields) } : reply;
    },

    async find({ phones, emails }, fields) {
      const national = phones.map((phone) =>
        phone.replace(/^\+/, '').slice((callingCodeOf(phone) ?? '').length),
      );
      const groups: [string, readonly string[]][] = [
        ['phone', phones],
        ['mobilephone', phones],
        ['hs_searchable_calculated_phone_number', national],
        ['hs_searchable_calculated_mobile_number', national],
        ['email', emails.map((email) => email.toLowerCase())],
      ];
      const filterGroups = groups
        .filter(([, values]) => values.length > 0)
        .map(([propertyName, values]) => ({ filters: [{ propertyName, operator: 'IN', values }] }));
      if (filterGroups.length === 0) return { ok: true, value: [] };
      const reply = await ask('POST', `${CONTACTS}/search`, {
        filterGroups,
        sorts: [{ propertyName: 'lastmodifieddate', direction: 'ASCENDING' }],
        properties: propertiesOf(fields),
        ...{ limit: 200, after: '0' },
      });
      return reply.ok ? { ok: true, value: recordsOf(reply.value, fields) } : reply;
    },

    async push(records) {
      if (!hasProperties) {
        const made = await makeProperties(ask);
        if (!made.ok) return made;
        hasProperties = true;
      }
      const outcomes: PushOutcome[] = records.map(() => ({ ok: false, detail: 'no_answer' }));
      const places = records.map((record, place) => ({ record, place }));
      const known = places.filter(({ record }) => record.externalId !== null);
      const fresh = places.filter(({ record }) => record.externalId === null);
      for (const [kind, some] of [['update', known] as const, ['upsert', fresh] as const]) {
        const reply = await pushSome(ask, kind, some, outcomes);
        if (!reply.ok) return reply;
      }
      return { ok: true, value: outcomes };
    },
  };
}

function askForPage(ask: HubspotAsk, place: Place, fields: readonly string[]): ReturnType<HubspotAsk> {
  const properties = propertiesOf(fields);
  if (place.phase === 'search')
    return ask('POST', `${CONTACTS}/search`, {
      filterGroups: [{ filters: filtersOf(place) }],
      sorts: [
        {
          propertyName: place.behindId === null ? 'lastmodifieddate' : 'hs_object_id',
          direction: 'ASCENDING',
        },
      ],
      ...{ properties, limit: PAGE, after: place.after ?? '0' },
    });
  const query = new URLSearchParams({ limit: String(PAGE), properties: properties.join(',') });
  query.set('archived', String(place.phase === 'deleted'));
  if (place.after !== null) query.set('after', place.after);
  return ask('GET', `${CONTACTS}?${query}`);
}

function filtersOf({ since, behindId }: Place) {
  const from = { propertyName: 'lastmodifieddate', operator: 'GTE', value: String(since) };
  if (behindId === null) return [from];
  return [
    from,
    { ...from, operator: 'LTE' },
    { propertyName: 'hs_object_id', operator: 'GT', value: behindId },
  ];
}

/** The place behind a page, and of the next run behind the last one. */
function continueFrom(
  place: Place,
  {
    records,
    after,
    vendorNow,
  }: { records: readonly RemoteRecord[]; after: string | null; vendorNow: number },
): { cursor: string; isLast: boolean } {
  const seen = records.map(({ updatedAt }) => updatedAt.getTime());
  const newest = Math.max(place.newest, ...(place.phase === 'deleted' ? [] : seen));
  const goOn = (changes: Partial<Place>) => ({
    ...{ cursor: JSON.stringify({ ...place, newest, ...changes }), isLast: false },
  });
  const now = Number.isNaN(vendorNow) ? Math.max(newest, place.deletedAt) : vendorNow;
  // What is changed while everything is listed is found by the search of the next run.
  if (place.phase === 'list' && place.after === null)
    place.since = Number.isNaN(vendorNow) ? place.since : vendorNow;
  if (place.behindId !== null)
    return after === null
      ? goOn({ since: place.since + 1, behindId: null })
      : goOn({ behindId: records.at(-1)?.id ?? place.behindId });
  if (after !== null && !(place.phase === 'search' && Number(after) >= SEARCH_END)) return goOn({ after });
  if (after !== null)
    // As many as a search shows: it begins anew at the last time that was seen.
    return newest > place.since ? goOn({ since: newest, after: null }) : goOn({ after: null, behindId: '0' });
  const since = place.phase === 'list' ? place.since : Math.max(place.since, newest);
  if (place.phase !== 'deleted' && (place.phase === 'list' || now - place.deletedAt > DELETED_EVERY_MS))
    return goOn({ phase: 'deleted', after: null, since, deletedAt: now });
  const next: Place = {
    ...{ phase: 'search', after: null, since: Math.max(0, since - OVERLAP_MS), newest: 0, behindId: null },
    deletedAt: place.deletedAt,
  };
  return { cursor: JSON.stringify(next), isLast: true };
}

function readPlace(cursor: string | null): Place {
  const start: Place = { phase: 'list', after: null, since: 0, newest: 0, deletedAt: 0, behindId: null };
  const read = cursor === null ? undefined : parseJson(cursor);
  // Written above.
  return isRecord(read) ? { ...start, ...(read as Partial<Place>) } : start;
}

/** Creates our properties; those that are there stay (409). */
async function makeProperties(ask: HubspotAsk): Promise<Reply<null>> {
  const wanted = [
    { name: PHONE_PROPERTY, label: 'Messaging phone', type: 'string', hasUniqueValue: true },
    { name: OPT_OUT_PROPERTY, label: 'Opted out of messages', type: 'string', hasUniqueValue: false },
  ];
  for (const property of wanted) {
    const found = await ask('GET', PROPERTIES);
    if (!found.ok) return found;
    const isThere = resultsOf(found.value.body).some((raw) => recordOf(raw)['name'] === property.name);
    if (isThere) continue;
    const reply = await ask('POST', PROPERTIES, {
      ...property,
      ...{ groupName: 'contactinformation', fieldType: 'text' },
    });
    // Another process was quicker.
    if (!reply.ok && reply.problem !== 'service_rejected') return reply;
  }
  return { ok: true, value: null };
}

type Placed = { record: PushedRecord; place: number };

/** One batch; each record is known by its trace, in the results and in the errors (207). */
async function pushSome(
  ask: HubspotAsk,
  kind: 'update' | 'upsert',
  some: readonly Placed[],
  outcomes: PushOutcome[],
): Promise<Reply<null>> {
  if (some.length === 0) return { ok: true, value: null };
  const inputs = some.map(({ record, place }) => ({
    objectWriteTraceId: String(place),
    ...(kind === 'update'
      ? { id: record.externalId }
      : { idProperty: PHONE_PROPERTY, id: record.phone ?? '' }),
    properties: {
      ...writeProperties(record.values),
      ...(record.phone !== null && { [PHONE_PROPERTY]: record.phone }),
    },
  }));
  const reply = await ask('POST', `${CONTACTS}/batch/${kind}`, { inputs });
  if (!reply.ok) {
    if (reply.problem !== 'service_rejected') return reply;
    // One that cannot be read takes the whole batch along: each is tried alone.
    if (some.length === 1) {
      outcomes[some[0]!.place] = { ok: false, detail: reply.detail ?? 'rejected' };
      return { ok: true, value: null };
    }
    for (const one of some) {
      const alone = await pushSome(ask, kind, [one], outcomes);
      if (!alone.ok) return alone;
    }
    return { ok: true, value: null };
  }
  const body = recordOf(reply.value.body);
  const ids = new Map(some.map(({ record, place }) => [record.externalId ?? record.phone, place]));
  for (const raw of resultsOf(body)) {
    const { id, objectWriteTraceId, properties } = recordOf(raw);
    const key = textOf(id);
    const place = placeOf(objectWriteTraceId) ?? ids.get(key) ?? ids.get(phoneOf(properties));
    if (place !== undefined && key !== null && outcomes[place])
      outcomes[place] = { ok: true, externalId: key };
  }
  for (const raw of Array.isArray(body['errors']) ? body['errors'] : []) {
    const { message, context } = recordOf(raw);
    const { objectWriteTraceId, ids: named } = recordOf(context);
    const place = placeOf(firstOf(objectWriteTraceId)) ?? ids.get(textOf(firstOf(named)));
    if (place !== undefined && outcomes[place])
      outcomes[place] = { ok: false, detail: (textOf(message) ?? 'rejected').slice(0, 300) };
  }
  return { ok: true, value: null };
}

const phoneOf = (properties: unknown): string | null => textOf(recordOf(properties)[PHONE_PROPERTY]);
const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : list);

function placeOf(trace: unknown): number | undefined {
  const text = textOf(trace);
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function resultsOf(body: unknown): unknown[] {
  const { results } = recordOf(body);
  return Array.isArray(results) ? results : [];
}

function recordsOf(
  { body, clockAheadMs }: Pick<Answer, 'body' | 'clockAheadMs'>,
  fields: readonly string[],
): RemoteRecord[] {
  return resultsOf(body).flatMap((raw) => readContact(raw, fields, clockAheadMs) ?? []);
}
