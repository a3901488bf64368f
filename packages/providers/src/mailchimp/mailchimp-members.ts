import { createHash } from 'node:crypto';
import { joinName, splitName } from '@app/domain/integrations/split-name';
import type {
  ContactConnector,
  PushedRecord,
  PushOutcome,
  RemoteRecord,
  Reply,
} from '@app/domain/integrations/contact-connector';
import type { askService } from '../calls/ask-service.ts';
import { listIn, unreadable } from '../calls/expected-answer.ts';
import { pushEach } from '../calls/push-each.ts';
import { endOfSecond, withinSecond } from '../calls/within-second.ts';
import { isRecord, numberOf, parseJson, recordOf, textOf } from '../calls/json-values.ts';

export type MailchimpAsk = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => ReturnType<typeof askService>;

/** `true` for a member who unsubscribed. */
export const OPT_OUT_FIELD = 'unsubscribed';

const PAGE = 100;
const OVERLAP_MS = 60_000;
const AT_ONCE = 4;
/** Who changes while pages are read by their places moves to the end, and the others move up by one: each page has so many of the last one again. */
const MOVED_UP = 10;
/** A field that the audience requires of forms must not keep an opt-out, or an edit, from arriving. */
const ANY_FIELDS = '?skip_merge_validation=true';
const own = ['name', 'email', 'language', 'status', OPT_OUT_FIELD];
const FIELDS = ['contact_id', 'email_address', 'status', 'merge_fields', 'language', 'last_changed']
  .map((name) => `members.${name}`)
  .join(',');

/** Members that are there and then those that were archived, each from the time of the last change that was seen. */
type Place = {
  phase: 'members' | 'archived';
  since: number;
  offset: number;
  start: number;
  newest: number;
  /** What the last page had of its newest second: the next page begins in it, and has them again. */
  seen: readonly string[];
};

export function createMailchimpMembers(
  ask: MailchimpAsk,
  readList: () => Promise<Reply<{ id: string }>>,
): ContactConnector {
  let found: Promise<Reply<{ id: string }>> | null = null;
  const inList = async (method: Parameters<MailchimpAsk>[0], path: string, body?: object) => {
    const list = await (found ??= readList());
    if (!list.ok) {
      found = null;
      return list;
    }
    return ask(method, `/lists/${encodeURIComponent(list.value.id)}${path}`, body);
  };
  const member = async (key: string): Promise<Reply<RemoteRecord | null>> => {
    const reply = await inList('GET', `/members/${encodeURIComponent(key)}`);
    if (reply.ok) {
      const read = readMember(reply.value.body, reply.value.clockAheadMs);
      return read ? { ok: true, value: read } : unreadable;
    }
    return reply.problem === 'account_unknown' ? { ok: true, value: null } : reply;
  };
  const members = async (keys: readonly string[]): Promise<Reply<readonly RemoteRecord[]>> => {
    const records: RemoteRecord[] = [];
    for (let from = 0; from < keys.length; from += AT_ONCE)
      for (const reply of await Promise.all(keys.slice(from, from + AT_ONCE).map(member))) {
        if (!reply.ok) return reply;
        if (reply.value && !reply.value.isDeleted) records.push(reply.value);
      }
    return { ok: true, value: records };
  };
  return {
    async listFields() {
      const reply = await inList('GET', '/merge-fields?count=200');
      if (!reply.ok) return reply;
      const fields = listIn(reply.value.body, 'merge_fields');
      if (!fields.ok) return fields;
      const merged = fields.value.flatMap((raw) => {
        const { tag, name, type } = recordOf(raw);
        const key = textOf(tag);
        if (key === null || ['FNAME', 'LNAME'].includes(key) || type === 'address') return [];
        return [{ name: key, label: textOf(name) ?? key, isReadOnly: false }];
      });
      return {
        ok: true,
        value: [
          { name: 'name', label: 'First name + last name', isReadOnly: false },
          { name: 'email', label: 'Email address', isReadOnly: false },
          { name: 'language', label: 'Language', isReadOnly: false },
          { name: 'status', label: 'Status', isReadOnly: true },
          { name: OPT_OUT_FIELD, label: 'Unsubscribed', isReadOnly: false },
          ...merged,
        ],
      };
    },

    async pull(cursor) {
      const place = readPlace(cursor);
      const query = new URLSearchParams({ count: String(PAGE), offset: String(place.offset) });
      query.set('fields', `${FIELDS},total_items`);
      query.set('sort_field', 'last_changed');
      query.set('sort_dir', 'ASC');
      if (place.since > 0) query.set('since_last_changed', new Date(place.since).toISOString());
      if (place.phase === 'archived') query.set('status', 'archived');
      const reply = await inList('GET', `/members?${query}`);
      if (!reply.ok) return reply;
      const listed = listIn(reply.value.body, 'members');
      if (!listed.ok) return listed;
      const rows = listed.value;
      const read = rows.flatMap((one) => readMember(one, reply.value.clockAheadMs) ?? []);
      const newest = Math.max(place.newest, ...read.map(({ updatedAt }) => updatedAt.getTime()));
      const known = new Set(place.seen);
      const records = read.filter((one) => !known.has(stateOf(one)));
      const seen = read.filter(({ updatedAt }) => secondOf(updatedAt) === secondOf(newest)).map(stateOf);
      const next = continueFrom({ ...place, newest, seen }, rows.length === PAGE);
      return { ok: true, value: { records, ...next } };
    },

    fetch: (ids) => members(ids),

    // The vendor cannot search by phone number.
    find: ({ emails }) => members(emails.map(hashOf)),

    push: (records) => pushEach(records, (record) => pushOne(inList, record)),
  };
}

async function pushOne(
  inList: MailchimpAsk,
  { externalId, values }: PushedRecord,
): Promise<Reply<PushOutcome>> {
  const email = values['email'];
  if (externalId === null && !email)
    return { ok: true, value: { ok: false, detail: 'An email address is needed.' } };
  if (externalId !== null && email === null) delete (values as Record<string, unknown>)['email'];
  const body = {
    ...(email && { email_address: email }),
    ...(values['language'] && { language: values['language'] }),
    merge_fields: mergeFieldsOf(values),
    // A status is never sent otherwise: nobody is subscribed again.
    ...(values[OPT_OUT_FIELD] === 'true' && { status: 'unsubscribed' }),
    // Whether a person wants mail is not known here.
    ...(externalId === null && { status_if_new: 'transactional' }),
  };
  const reply =
    externalId === null
      ? await inList('PUT', `/members/${hashOf(email ?? '')}${ANY_FIELDS}`, body)
      : await inList('PATCH', `/members/${encodeURIComponent(externalId)}${ANY_FIELDS}`, body);
  if (!reply.ok)
    return reply.problem === 'service_rejected' || reply.problem === 'account_unknown'
      ? { ok: true, value: { ok: false, detail: reply.detail ?? 'rejected' } }
      : reply;
  const id = textOf(recordOf(reply.value.body)['contact_id']);
  return id === null ? unreadable : { ok: true, value: { ok: true, externalId: id } };
}

function mergeFieldsOf(values: Readonly<Record<string, string | null>>): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const [name, value] of Object.entries(values))
    if (name === 'name') {
      const { first, last } = splitName(value ?? '');
      Object.assign(merged, { FNAME: first, LNAME: last });
    } else if (!own.includes(name)) merged[name] = value ?? '';
  return merged;
}

/** A member as a record; null for what has no id. */
function readMember(raw: unknown, clockAheadMs: number): RemoteRecord | null {
  const member = recordOf(raw);
  const id = textOf(member['contact_id']);
  if (id === null) return null;
  const merged = recordOf(member['merge_fields']);
  const second = new Date(textOf(member['last_changed']) ?? 0);
  const state = [member['email_address'], member['status'], member['language'], merged];
  const updatedAt = withinSecond(second, state);
  const status = textOf(member['status']);
  const texts = Object.entries(merged).map(([tag, value]) => {
    const number = numberOf(value);
    return [tag, number === null ? textOf(value) : String(number)] as const;
  });
  return {
    ...{ id, updatedAt, editedAt: endOfSecond(second, clockAheadMs) },
    isDeleted: status === 'archived',
    values: {
      ...Object.fromEntries(texts),
      name: joinName(textOf(merged['FNAME']), textOf(merged['LNAME'])),
      email: textOf(member['email_address']),
      language: textOf(member['language']),
      status,
      [OPT_OUT_FIELD]: status === 'unsubscribed' ? 'true' : null,
    },
  };
}

const secondOf = (at: Date | number): number => Math.floor(Number(at) / 1_000);
/** The time tells two states of one second apart. */
const stateOf = ({ id, updatedAt }: RemoteRecord): string => `${id} ${updatedAt.getTime()}`;

/** Members move to the end when they change, so each full page begins anew at the last time that was seen; times are whole seconds. */
function continueFrom(place: Place, isFull: boolean): { cursor: string; isLast: boolean } {
  const goOn = (changes: Partial<Place>) => ({
    ...{ cursor: JSON.stringify({ ...place, ...changes }), isLast: false },
  });
  if (isFull) {
    // Whole seconds: what tells two states of one second apart is no time of the vendor.
    const since = (secondOf(place.newest) - 1) * 1_000;
    return since > place.since
      ? goOn({ since, offset: 0 })
      : goOn({ offset: place.offset + PAGE - MOVED_UP });
  }
  if (place.phase === 'members') return goOn({ phase: 'archived', since: place.start, offset: 0, seen: [] });
  const start = Math.max(place.start, place.newest - OVERLAP_MS, 0);
  const next: Place = { phase: 'members', since: start, offset: 0, start, newest: 0, seen: [] };
  return { cursor: JSON.stringify(next), isLast: true };
}

function readPlace(cursor: string | null): Place {
  const start: Place = { phase: 'members', since: 0, offset: 0, start: 0, newest: 0, seen: [] };
  const read = cursor === null ? undefined : parseJson(cursor);
  // Written above.
  return isRecord(read) ? { ...start, ...(read as Partial<Place>) } : start;
}

/** The vendor finds members by the MD5 of their address in small letters. */
const hashOf = (email: string): string => createHash('md5').update(email.toLowerCase()).digest('hex');
