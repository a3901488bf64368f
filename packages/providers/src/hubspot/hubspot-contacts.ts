import { callingCodeOf } from '@app/domain/settings/calling-codes';
import type {
  ContactConnector,
  PushedRecord,
  PushOutcome,
  RemoteRecord,
  Reply,
} from '@app/domain/integrations/contact-connector';
import type { Answer } from '../calls/ask-service.ts';
import { listIn, unreadable } from '../calls/expected-answer.ts';
import { isRecord, listOf, parseJson, recordOf, textOf } from '../calls/json-values.ts';
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
  /** What the last page of a search had of its newest moment: the next page begins in it, and has them again. */
  seen: readonly string[];
};

export function createHubspotContacts(ask: HubspotAsk): ContactConnector {
  let hasProperties = false;
  const askForRecords = async (
    asked: ReturnType<HubspotAsk>,
    fields: readonly string[],
  ): Promise<Reply<{ records: RemoteRecord[]; answer: Answer }>> => {
    const reply = await asked;
    if (!reply.ok) return reply;
    const results = listIn(reply.value.body, 'results');
    if (!results.ok) return results;
    const records = results.value.flatMap((raw) => readContact(raw, fields, reply.value.clockAheadMs) ?? []);
    return { ok: true, value: { records, answer: reply.value } };
  };
  return {
    async listFields() {
      const properties = await askForProperties(ask);
      if (!properties.ok) return properties;
      const listed = properties.value.flatMap((raw) => {
        const { name, label, type, modificationMetadata, options } = recordOf(raw);
        const key = textOf(name);
        if (key === null || ['firstname', 'lastname', 'phone'].includes(key)) return [];
        const isReadOnly = recordOf(modificationMetadata)['readOnlyValue'] === true;
        const moment = type === 'datetime' ? { isMoment: true as const } : {};
        return [{ name: key, label: textOf(label) ?? key, isReadOnly, ...moment, ...readOptions(options) }];
      });
      const joined = [
        { name: 'name', label: 'First name + last name', isReadOnly: false },
        { name: 'phone', label: 'Phone', isReadOnly: false },
      ];
      return { ok: true, value: [...joined, ...listed] };
    },

    async pull(cursor, fields) {
      const place = readPlace(cursor);
      const reply = await askForRecords(askForPage(ask, place, fields), fields);
      if (!reply.ok) return reply;
      const { body, headers } = reply.value.answer;
      const known = new Set(place.seen);
      const records = reply.value.records.filter((one) => !known.has(stateOf(one)));
      const after = textOf(recordOf(recordOf(recordOf(body)['paging'])['next'])['after']);
      const vendorNow = Date.parse(headers['date'] ?? '');
      const next = continueFrom(place, { read: reply.value.records, after, vendorNow });
      return { ok: true, value: { records, ...next } };
    },

    async fetch(ids, fields) {
      const asked = ask('POST', `${CONTACTS}/batch/read`, {
        properties: propertiesOf(fields),
        inputs: ids.map((id) => ({ id })),
      });
      const reply = await askForRecords(asked, fields);
      return reply.ok ? { ok: true, value: reply.value.records } : reply;
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
      const asked = ask('POST', `${CONTACTS}/search`, {
        filterGroups,
        sorts: [{ propertyName: 'lastmodifieddate', direction: 'ASCENDING' }],
        properties: propertiesOf(fields),
        ...{ limit: 200, after: '0' },
      });
      const reply = await askForRecords(asked, fields);
      return reply.ok ? { ok: true, value: reply.value.records } : reply;
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
      ...{ properties, limit: PAGE, after: '0' },
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
  { read, after, vendorNow }: { read: readonly RemoteRecord[]; after: string | null; vendorNow: number },
): { cursor: string; isLast: boolean } {
  const times = read.map(({ updatedAt }) => updatedAt.getTime());
  const newest = Math.max(place.newest, ...(place.phase === 'deleted' ? [] : times));
  const goOn = (changes: Partial<Place>) => ({
    ...{ cursor: JSON.stringify({ ...place, newest, ...changes }), isLast: false },
  });
  const now = Number.isNaN(vendorNow) ? Math.max(newest, place.deletedAt) : vendorNow;
  // What is changed while everything is listed is found by the search of the next run.
  if (place.phase === 'list' && place.after === null)
    place.since = Number.isNaN(vendorNow) ? place.since : vendorNow;
  if (place.behindId !== null)
    return after === null
      ? goOn({ since: place.since + 1, behindId: null, seen: [] })
      : goOn({ behindId: read.at(-1)?.id ?? place.behindId });
  if (after !== null && place.phase !== 'search') return goOn({ after });
  if (after !== null) {
    // A search goes by places, and who changes meanwhile moves to its end: the next one would come to a place that was read. So each page begins anew at
    // the last time that was seen, or goes on by id where that is one and the same moment, as after a bulk change.
    const seen = read.filter(({ updatedAt }) => updatedAt.getTime() === newest).map(stateOf);
    return newest > place.since ? goOn({ since: newest, seen }) : goOn({ behindId: '0', seen: [] });
  }
  const since = place.phase === 'list' ? place.since : Math.max(place.since, newest);
  if (place.phase !== 'deleted' && (place.phase === 'list' || now - place.deletedAt > DELETED_EVERY_MS))
    return goOn({ phase: 'deleted', after: null, since, deletedAt: now, seen: [] });
  const next: Place = {
    ...{ phase: 'search', after: null, since: Math.max(0, since - OVERLAP_MS), newest: 0, behindId: null },
    seen: [],
    deletedAt: place.deletedAt,
  };
  return { cursor: JSON.stringify(next), isLast: true };
}

const stateOf = ({ id, updatedAt }: RemoteRecord): string => `${id} ${updatedAt.getTime()}`;

function readPlace(cursor: string | null): Place {
  const start: Place = {
    phase: 'list',
    after: null,
    since: 0,
    newest: 0,
    deletedAt: 0,
    behindId: null,
    seen: [],
  };
  const read = cursor === null ? undefined : parseJson(cursor);
  // Written above.
  return isRecord(read) ? { ...start, ...(read as Partial<Place>) } : start;
}

async function askForProperties(ask: HubspotAsk): Promise<Reply<readonly unknown[]>> {
  const reply = await ask('GET', PROPERTIES);
  return reply.ok ? listIn(reply.value.body, 'results') : reply;
}

/** Creates our properties; those that are there stay (409). */
async function makeProperties(ask: HubspotAsk): Promise<Reply<null>> {
  const wanted = [
    { name: PHONE_PROPERTY, label: 'Messaging phone', type: 'string', hasUniqueValue: true },
    { name: OPT_OUT_PROPERTY, label: 'Opted out of messages', type: 'string', hasUniqueValue: false },
  ];
  const found = await askForProperties(ask);
  if (!found.ok) return found;
  const names = new Set(found.value.map((raw) => recordOf(raw)['name']));
  for (const property of wanted) {
    if (names.has(property.name)) continue;
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
  if (!Array.isArray(body['results']) && !Array.isArray(body['errors'])) return unreadable;
  const ids = new Map(some.map(({ record, place }) => [record.externalId ?? record.phone, place]));
  for (const raw of listOf(body['results'])) {
    const { id, objectWriteTraceId, properties } = recordOf(raw);
    const key = textOf(id);
    const place = placeOf(objectWriteTraceId) ?? ids.get(key) ?? ids.get(phoneOf(properties));
    if (place !== undefined && key !== null && outcomes[place])
      outcomes[place] = { ok: true, externalId: key };
  }
  for (const raw of listOf(body['errors'])) {
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
