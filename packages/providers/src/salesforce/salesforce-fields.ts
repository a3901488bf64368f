import type { RemoteField, RemoteRecord, Reply } from '@app/domain/integrations/contact-connector';
import { joinName, splitName } from '@app/domain/integrations/split-name';
import { listIn } from '../calls/expected-answer.ts';
import { recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';
import { readOptions } from '../calls/read-options.ts';
import { endOfSecond, withinSecond } from '../calls/within-second.ts';
import { DATA, type SalesforceAsk } from './salesforce-ask.ts';
import { isReport, shortId, type Members } from './salesforce-reports.ts';

/** The kinds of records that are people. An id begins with the same three characters in every organisation. */
export const personTypes = ['Contact', 'Lead'] as const;
export type PersonType = (typeof personTypes)[number];
export const typeOfId = (id: string): PersonType => (id.startsWith('00Q') ? 'Lead' : 'Contact');

/**
 * A checkbox that the organisation adds to its contacts and leads. The vendor's own `HasOptedOutOfEmail`, `HasOptedOutOfFax` and `DoNotCall` say no to
 * something else, and are never taken for an opt-out from messages.
 */
export const OPT_OUT_FIELD = 'HasOptedOutOfMessages__c';
/** A text field, marked as external ID and unique. With it the vendor itself makes sure that nobody is created twice. */
export const PHONE_KEY_FIELD = 'Messaging_Phone__c';

/** Fields that stand for several of the vendor. */
const joined: Readonly<Record<string, readonly string[]>> = {
  name: ['FirstName', 'LastName'],
  phone: ['MobilePhone', 'Phone'],
};
const columnsOf = (field: string): readonly string[] => joined[field] ?? [field];

type Column = { label: string; type: string; canWrite: boolean; isKey: boolean } & Pick<
  RemoteField,
  'options'
>;
/** The columns of each type, by name; a type that the organisation does not show is absent. */
export type Layout = Partial<Record<PersonType, ReadonlyMap<string, Column>>>;

const hidden = new Set(['address', 'location', 'base64']);

export async function readLayout(ask: SalesforceAsk): Promise<Reply<Layout>> {
  const layout: Layout = {};
  for (const type of personTypes) {
    const reply = await ask('GET', `${DATA}/sobjects/${type}/describe`);
    if (!reply.ok) {
      // Leads are a licence of their own.
      const isHidden = reply.problem === 'account_unknown' || reply.problem === 'permission_missing';
      if (type === 'Lead' && isHidden) continue;
      return reply.problem === 'account_unknown' ? { ...reply, problem: 'permission_missing' } : reply;
    }
    const fields = listIn(reply.value.body, 'fields');
    if (!fields.ok) return fields;
    const columns = fields.value.flatMap((raw) => {
      const { name, label, type: kind, updateable, externalId, picklistValues } = recordOf(raw);
      const key = textOf(name);
      if (key === null || hidden.has(textOf(kind) ?? '')) return [];
      const canWrite = updateable === true;
      const column = { label: textOf(label) ?? key, type: textOf(kind) ?? 'string', canWrite };
      return [[key, { ...column, isKey: externalId === true, ...readOptions(picklistValues) }] as const];
    });
    layout[type] = new Map(columns);
  }
  return { ok: true, value: layout };
}

/** What can be mapped, the names of people and their numbers first. */
export function fieldsOf(layout: Layout): RemoteField[] {
  const own = ['Id', 'FirstName', 'LastName', 'Name', 'IsDeleted', 'IsConverted', PHONE_KEY_FIELD];
  const found = new Map<string, RemoteField>();
  for (const columns of Object.values(layout))
    for (const [name, { label, type, canWrite, options }] of columns)
      if (!own.includes(name) && !found.has(name))
        found.set(name, {
          ...{ name, label, isReadOnly: !canWrite },
          ...(type === 'datetime' && { isMoment: true }),
          ...(options && { options }),
        });
  // The mark can be mapped before it is there, because the mapping always holds it.
  if (!found.has(OPT_OUT_FIELD))
    found.set(OPT_OUT_FIELD, { name: OPT_OUT_FIELD, label: OPT_OUT_FIELD, isReadOnly: false });
  return [
    { name: 'name', label: 'First name + last name', isReadOnly: false },
    { name: 'phone', label: 'Mobile, else phone', isReadOnly: false },
    ...found.values(),
  ];
}

/** The first of the mapped fields that no type has any more; null where all are there. */
export function findMissing(layout: Layout, fields: readonly string[]): string | null {
  const isThere = (name: string) => Object.values(layout).some((columns) => columns.has(name));
  return (
    fields.find((field) => field !== OPT_OUT_FIELD && !isReport(field) && !columnsOf(field).every(isThere)) ??
    null
  );
}

/** The columns to ask for. */
export function columnsToRead(layout: Layout, type: PersonType, fields: readonly string[]): string[] {
  const wanted = ['Id', 'SystemModstamp', 'IsDeleted', 'IsConverted', ...fields.flatMap(columnsOf)];
  return [...new Set(wanted)].filter((name) => layout[type]?.has(name));
}

/** A person as a record; null for what has no id. A field that its type does not have is absent, and stays as it is on both sides. */
export function readPerson(
  raw: JsonRecord,
  { fields, members, clockAheadMs }: { fields: readonly string[]; members: Members; clockAheadMs: number },
): RemoteRecord | null {
  const id = textOf(raw['Id']);
  if (id === null) return null;
  const values: Record<string, string | null> = {};
  for (const field of fields) {
    const inReport = members.get(field);
    if (inReport) values[field] = inReport.has(shortId(id)) ? 'true' : null;
    if (!columnsOf(field).some((name) => Object.hasOwn(raw, name))) continue;
    if (field === 'name') values[field] = joinName(textOf(raw['FirstName']), textOf(raw['LastName']));
    else if (field === 'phone') values[field] = textOf(raw['MobilePhone']) ?? textOf(raw['Phone']);
    else values[field] = wordsOf(raw[field]);
  }
  const second = new Date(timeIn(raw['SystemModstamp']));
  return {
    // A lead that was converted lives on as a contact.
    ...{ id, values, isDeleted: raw['IsDeleted'] === true || raw['IsConverted'] === true },
    updatedAt: withinSecond(second, values),
    editedAt: endOfSecond(second, clockAheadMs),
  };
}

/** Of `2026-05-01T08:00:00.000+0000`, in ms; 0 for what is no time. */
export const timeIn = (value: unknown): number =>
  Date.parse((textOf(value) ?? '').replace(/([+-]\d{2})(\d{2})$/, '$1:$2')) || 0;

function wordsOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return textOf(value);
}

/** What is written of one person, and the first field that cannot be. */
export function writePerson(
  layout: Layout,
  type: PersonType,
  values: Readonly<Record<string, string | null>>,
): { columns: Record<string, unknown>; refused: string | null } {
  const columns: Record<string, unknown> = {};
  let refused: string | null = null;
  const write = (name: string, value: string | null) => {
    const column = layout[type]?.get(name);
    if (!column) refused ??= `No such column '${name}' on ${type}.`;
    else if (!column.canWrite) refused ??= `The field '${name}' of ${type} is read-only.`;
    else columns[name] = typed(column.type, value);
  };
  for (const [field, value] of Object.entries(values))
    if (field === 'name') {
      const { first, last } = splitName(value ?? '');
      // A person always has a last name there.
      write('FirstName', last === '' ? null : first || null);
      write('LastName', last === '' ? first : last);
    } else if (field === 'phone') write('MobilePhone', value);
    else write(field, value);
  return { columns, refused };
}

function typed(type: string, value: string | null): unknown {
  if (type === 'boolean') return ['true', 'yes', '1'].includes((value ?? '').toLowerCase());
  if (value === null || value === '') return null;
  const isNumber = ['double', 'int', 'currency', 'percent', 'long'].includes(type);
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : value;
}
