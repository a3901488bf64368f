import type {
  ContactConnector,
  PulledPage,
  PushedRecord,
  PushOutcome,
  RemoteRecord,
  Reply,
} from '@app/domain/integrations/contact-connector';
import { unreadable } from '../calls/expected-answer.ts';
import { isRecord, parseJson, recordOf, textOf } from '../calls/json-values.ts';
import { DATA, type SalesforceAsk } from './salesforce-ask.ts';
import {
  columnsToRead,
  fieldsOf,
  findMissing,
  personTypes,
  PHONE_KEY_FIELD,
  readLayout,
  readPerson,
  timeIn,
  typeOfId,
  writePerson,
  type Layout,
  type PersonType,
} from './salesforce-fields.ts';
import { changedMembers, isReport, listReports, readMembers, type Members } from './salesforce-reports.ts';
import { KEYS_AT_ONCE, listed, quoted, querySalesforce, querySalesforceOn } from './salesforce-soql.ts';

/** Records that a pull hands over at once; the vendor's own pages have up to 2,000. */
const PAGE = 100;
/** A change counts from the moment at which its transaction asked for it, and is seen when that ends, after ten minutes at most: each run looks back so far. */
const OVERLAP_MS = 660_000;

/**
 * Where a pull is: behind the record `at` of `type` in the order of changes, or at its beginning. `newest` are the last changes that were seen, in ms by
 * the vendor's clock. A process that died goes on from here with a query of its own, so that no page of the vendor has to be there any more.
 */
type Place = {
  type: PersonType;
  at: { stamp: string; id: string } | null;
  since: Partial<Record<PersonType, number>>;
  newest: Partial<Record<PersonType, number>>;
  /** Of each mapped report, who was in it at the last look. */
  members: Record<string, readonly string[]>;
  /** Whom to read again, because they came into a report or left it; null before that is known. */
  pending: readonly string[] | null;
};
/** What the last page of the vendor still holds, and where the cursor must be to go on with it. */
type Rest = {
  cursor: string;
  rows: readonly Record<string, unknown>[];
  next: string | null;
  aheadMs: number;
};

export function createSalesforceContacts(ask: SalesforceAsk): ContactConnector {
  let layout: Promise<Reply<Layout>> | null = null;
  let reports: { fields: string; members: Promise<Reply<Members>> } | null = null;
  let rest: Rest | null = null;
  const withLayout = async <Value>(use: (known: Layout) => Promise<Reply<Value>>): Promise<Reply<Value>> => {
    const known = await (layout ??= readLayout(ask));
    if (known.ok) return use(known.value);
    layout = null;
    return known;
  };

  /** Each report is run once for all calls of a run. */
  const membersOf = async (fields: readonly string[]): Promise<Reply<Members>> => {
    const key = fields.filter(isReport).join();
    if (reports?.fields !== key) reports = { fields: key, members: readMembers(ask, fields) };
    const members = await reports.members;
    if (!members.ok) reports = null;
    return members;
  };

  async function pullPage(
    known: Layout,
    cursor: string | null,
    fields: readonly string[],
  ): Promise<Reply<PulledPage>> {
    const missing = findMissing(known, fields);
    if (missing !== null)
      return { ok: false, problem: 'permission_missing', detail: missing, retryAfterMs: null };
    const place = readPlace(cursor);
    const members = await membersOf(fields);
    if (!members.ok) return members;
    if (place.pending) return pullMembers(known, place, fields);
    const end = (seen: Place) => goOn(known, seen, members.value);
    if (!known[place.type]) return { ok: true, value: { records: [], ...end(place) } };
    let held = rest?.cursor === cursor ? rest : null;
    rest = null;
    if (!held || held.rows.length === 0) {
      const ownQuery = () => querySalesforce(ask, composePull(known, place, fields), { all: isLater(place) });
      let read = held?.next ? await querySalesforceOn(ask, held.next) : await ownQuery();
      // The vendor drops pages that were not asked for in time, and another session may not read on: then it says 401 to the new one, too.
      const dropped = ['service_rejected', 'account_unknown', 'credentials_wrong'];
      if (!read.ok && held?.next && dropped.includes(read.problem)) read = await ownQuery();
      if (!read.ok) return read;
      const { records: rows, next, clockAheadMs: aheadMs } = read.value;
      held = { cursor: '', rows, next, aheadMs };
    }
    const rows = held.rows.slice(0, PAGE);
    const left = held.rows.slice(PAGE);
    const how = { fields, members: members.value, clockAheadMs: held.aheadMs };
    const records = rows.flatMap((raw) => readPerson(raw, how) ?? []);
    const last = rows.at(-1);
    const newest = Math.max(
      place.newest[place.type] ?? 0,
      ...rows.map((raw) => timeIn(raw['SystemModstamp'])),
    );
    const seen: Place = {
      ...place,
      newest: { ...place.newest, [place.type]: newest },
      at: last ? { stamp: isoOf(timeIn(last['SystemModstamp'])), id: textOf(last['Id']) ?? '' } : place.at,
    };
    if (left.length === 0 && held.next === null) return { ok: true, value: { records, ...end(seen) } };
    const next = JSON.stringify(seen);
    rest = { ...held, rows: left, cursor: next };
    return { ok: true, value: { records, cursor: next, isLast: false } };
  }

  /** Who came into a report or left it: nothing else of them may have changed. */
  async function pullMembers(
    known: Layout,
    place: Place,
    fields: readonly string[],
  ): Promise<Reply<PulledPage>> {
    const pending = place.pending ?? [];
    const read = await fetchPeople(known, pending.slice(0, PAGE), fields);
    if (!read.ok) return read;
    const left = pending.slice(PAGE);
    const next =
      left.length > 0 ? { cursor: JSON.stringify({ ...place, pending: left }), isLast: false } : endOf(place);
    return { ok: true, value: { records: read.value, ...next } };
  }

  async function fetchPeople(
    known: Layout,
    ids: readonly string[],
    fields: readonly string[],
  ): Promise<Reply<readonly RemoteRecord[]>> {
    const records: RemoteRecord[] = [];
    const members = await membersOf(fields);
    if (!members.ok) return members;
    for (const type of personTypes) {
      const own = ids.filter((id) => typeOfId(id) === type);
      if (own.length === 0 || !known[type]) continue;
      const columns = columnsToRead(known, type, fields);
      const reply = await ask('POST', `${DATA}/composite/sobjects/${type}`, { ids: own, fields: columns });
      if (!reply.ok) return reply;
      const { body: rows } = reply.value;
      // One for each: what is gone is null.
      if (!Array.isArray(rows) || rows.length !== own.length) return unreadable;
      const how = { fields, members: members.value, clockAheadMs: reply.value.clockAheadMs };
      for (const raw of rows) {
        const record = isRecord(raw) ? readPerson(raw, how) : null;
        if (record && !record.isDeleted) records.push(record);
      }
    }
    return { ok: true, value: records };
  }

  async function findIds(
    known: Layout,
    { phones, emails }: { phones: readonly string[]; emails: readonly string[] },
  ): Promise<Reply<string[]>> {
    const ids = new Set<string>();
    const questions = [
      ...chunksOf(phones).map((some) => `(MobilePhone IN ${listed(some)} OR Phone IN ${listed(some)})`),
      ...chunksOf(emails).map((some) => `Email IN ${listed(some)}`),
    ];
    for (const type of personTypes.filter((one) => known[one]))
      for (const question of questions) {
        const converted = type === 'Lead' ? ' AND IsConverted = false' : '';
        const reply = await querySalesforce(ask, `SELECT Id FROM ${type} WHERE ${question}${converted}`);
        if (!reply.ok) return reply;
        for (const { Id: id } of reply.value.records) if (typeof id === 'string') ids.add(id);
      }
    return { ok: true, value: [...ids] };
  }

  return {
    listFields: () =>
      withLayout(async (known) => {
        const found = await listReports(ask);
        return found.ok ? { ok: true, value: [...fieldsOf(known), ...found.value] } : found;
      }),
    pull: (cursor, fields) => withLayout((known) => pullPage(known, cursor, fields)),
    fetch: (ids, fields) => withLayout((known) => fetchPeople(known, ids, fields)),
    find: (keys, fields) =>
      withLayout(async (known) => {
        const ids = await findIds(known, keys);
        return ids.ok && ids.value.length > 0
          ? fetchPeople(known, ids.value.slice(0, 2_000), fields)
          : ids.ok
            ? { ok: true, value: [] }
            : ids;
      }),
    push: (records) => withLayout((known) => pushPeople(ask, known, records)),
  };
}

/** After the last of one type the next type begins, and after all of them those who came into a report or left it. */
function goOn(known: Layout, place: Place, members: Members): { cursor: string; isLast: boolean } {
  const following = personTypes[personTypes.indexOf(place.type) + 1];
  if (following && known[following])
    return { cursor: JSON.stringify({ ...place, type: following, at: null }), isLast: false };
  const pending = changedMembers(members, place.members);
  const now = Object.fromEntries([...members].map(([field, ids]) => [field, [...ids]]));
  const seen = { ...place, members: now };
  return pending.length > 0 ? { cursor: JSON.stringify({ ...seen, pending }), isLast: false } : endOf(seen);
}

/** Where the next run begins: a little before the newest change. */
function endOf({ newest, members }: Place): { cursor: string; isLast: boolean } {
  const since = Object.fromEntries(
    Object.entries(newest).map(([type, at]) => [type, at > 0 ? at - OVERLAP_MS : 0]),
  );
  const next: Place = { type: 'Contact', at: null, since, newest, members, pending: null };
  return { cursor: JSON.stringify(next), isLast: true };
}

const isLater = ({ since, type }: Place): boolean => (since[type] ?? 0) > 0;

function composePull(known: Layout, place: Place, fields: readonly string[]): string {
  const since = place.since[place.type] ?? 0;
  const conditions = [
    ...(place.at
      ? [
          `(SystemModstamp > ${place.at.stamp} OR (SystemModstamp = ${place.at.stamp} AND Id > ${quoted(place.at.id)}))`,
        ]
      : since > 0
        ? [`SystemModstamp >= ${isoOf(since)}`]
        : []),
    // Who was converted before the first sync is a contact.
    ...(!isLater(place) && place.type === 'Lead' ? ['IsConverted = false'] : []),
  ];
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  const columns = columnsToRead(known, place.type, fields).join(', ');
  return `SELECT ${columns} FROM ${place.type}${where} ORDER BY SystemModstamp, Id`;
}

const isoOf = (at: number): string => new Date(at).toISOString();

function readPlace(cursor: string | null): Place {
  const start: Place = {
    ...{ type: 'Contact', at: null, since: {}, newest: {} },
    ...{ members: {}, pending: null },
  };
  const read = cursor === null ? undefined : parseJson(cursor);
  // Written above.
  return isRecord(read) ? { ...start, ...(read as Partial<Place>) } : start;
}

function chunksOf(keys: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
    chunks.push(keys.slice(from, from + KEYS_AT_ONCE));
  return chunks;
}

type Write = { place: number; body: Record<string, unknown>; refused: string | null };

async function pushPeople(
  ask: SalesforceAsk,
  known: Layout,
  records: readonly PushedRecord[],
): Promise<Reply<PushOutcome[]>> {
  const outcomes: PushOutcome[] = records.map(() => ({ ok: false, detail: 'no_answer' }));
  const hasKey = known.Contact?.get(PHONE_KEY_FIELD)?.isKey === true;
  const changes: Write[] = [];
  const creations: Write[] = [];
  for (const [place, { externalId, phone, values }] of records.entries()) {
    const type = externalId === null ? 'Contact' : typeOfId(externalId);
    const { columns, refused } = writePerson(known, type, values);
    const key = hasKey && type === 'Contact' && phone !== null ? { [PHONE_KEY_FIELD]: phone } : {};
    const body = { attributes: { type }, ...columns, ...key };
    if (externalId !== null) changes.push({ place, refused, body: { ...body, id: externalId } });
    // A new person is created as a whole or not at all: without the mark of an opt-out it would look like one who wants messages.
    else if (refused !== null) outcomes[place] = { ok: false, detail: refused };
    else creations.push({ place, refused, body });
  }
  const changed = await writeAll(ask, 'PATCH', `${DATA}/composite/sobjects`, changes, outcomes);
  if (!changed.ok) return changed;
  const created = hasKey
    ? await writeAll(
        ask,
        'PATCH',
        `${DATA}/composite/sobjects/Contact/${PHONE_KEY_FIELD}`,
        creations,
        outcomes,
      )
    : await createMissing(ask, records, creations, outcomes);
  return created.ok ? { ok: true, value: outcomes } : created;
}

/** Without a unique field: a record that an earlier attempt created is found by the number, which was written exactly so. */
async function createMissing(
  ask: SalesforceAsk,
  records: readonly PushedRecord[],
  creations: readonly Write[],
  outcomes: PushOutcome[],
): Promise<Reply<null>> {
  const phoneOf = ({ place }: Write) => records[place]?.phone ?? '';
  const there = new Map<string, string>();
  for (const some of chunksOf(creations.map(phoneOf).filter(Boolean))) {
    const reply = await querySalesforce(
      ask,
      `SELECT Id, MobilePhone FROM Contact WHERE MobilePhone IN ${listed(some)}`,
    );
    if (!reply.ok) return reply;
    for (const { Id: id, MobilePhone: phone } of reply.value.records)
      if (typeof id === 'string' && typeof phone === 'string') there.set(phone, id);
  }
  const isThere = (write: Write) => there.has(phoneOf(write));
  const known = creations.filter(isThere).map((write) => ({
    ...write,
    body: { ...write.body, id: there.get(phoneOf(write)) },
  }));
  const changed = await writeAll(ask, 'PATCH', `${DATA}/composite/sobjects`, known, outcomes);
  if (!changed.ok) return changed;
  const fresh = creations.filter((write) => !isThere(write));
  return writeAll(ask, 'POST', `${DATA}/composite/sobjects`, fresh, outcomes);
}

/** One request for all; what became of each stands at its place. */
async function writeAll(
  ask: SalesforceAsk,
  method: 'POST' | 'PATCH',
  path: string,
  writes: readonly Write[],
  outcomes: PushOutcome[],
): Promise<Reply<null>> {
  if (writes.length === 0) return { ok: true, value: null };
  const body = { allOrNone: false, records: writes.map((write) => write.body) };
  const reply = await ask(method, path, body, method === 'PATCH');
  if (!reply.ok) {
    if (reply.problem !== 'service_rejected') return reply;
    // One that cannot be read takes the whole request along: each is tried alone.
    if (writes.length === 1) {
      outcomes[writes[0]!.place] = { ok: false, detail: reply.detail ?? 'rejected' };
      return { ok: true, value: null };
    }
    for (const one of writes) {
      const alone = await writeAll(ask, method, path, [one], outcomes);
      if (!alone.ok) return alone;
    }
    return { ok: true, value: null };
  }
  const { body: results } = reply.value;
  if (!Array.isArray(results) || results.length !== writes.length) return unreadable;
  for (const [index, { place, body: sent, refused }] of writes.entries()) {
    const { id, success, errors } = recordOf(results[index]);
    const externalId = textOf(id) ?? textOf(sent['id']);
    if (success !== true || externalId === null)
      outcomes[place] = { ok: false, detail: wordsOf(errors) ?? 'no_answer' };
    else outcomes[place] = refused === null ? { ok: true, externalId } : { ok: false, detail: refused };
  }
  return { ok: true, value: null };
}

function wordsOf(errors: unknown): string | null {
  const { message, statusCode, fields } = recordOf(Array.isArray(errors) ? errors[0] : null);
  const named = Array.isArray(fields) && fields.length > 0 ? ` (${fields.join(', ')})` : '';
  const words = textOf(message) ?? textOf(statusCode);
  return words === null ? null : `${words}${named}`.slice(0, 300);
}
