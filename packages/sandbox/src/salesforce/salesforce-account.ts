import { randomBytes } from 'node:crypto';
import type { MadePerson } from '../core/made-people.ts';
import { VendorAccount, type ShownRecord, type VendorBehaviour } from '../core/vendor-account.ts';
import {
  OPT_OUT_FIELD,
  PHONE_KEY_FIELD,
  salesforceFields,
  salesforceId,
  salesforceTypes,
  type SalesforceField,
  type SalesforceType,
} from './salesforce-objects.ts';
import { sampleContacts, sampleLeads } from './sample-people.ts';

export const SALESFORCE_CLIENT = { id: 'sandbox-salesforce-client', secret: 'sandbox-salesforce-secret' };

export interface SalesforceBehaviour extends VendorBehaviour {
  /** Records of one page of a query. The vendor has 200 to 2,000. */
  pageSize: number;
  /** Calls that the organisation is allowed in a day, and those that were made. */
  dailyMost: number;
  dailyUsed: number;
  /** Whether an administrator added the checkbox of opt-outs and the external ID. */
  hasMessagingFields: boolean;
  /** A field that was deleted, or is hidden from the user of the app; empty: none. */
  hiddenField: string;
}

type Value = string | number | boolean | null;
export interface SalesforceRecord {
  id: string;
  type: SalesforceType;
  values: Record<string, Value>;
  isDeleted: boolean;
  isConverted: boolean;
  createdAt: number;
  changedAt: number;
}

export class SalesforceError extends Error {
  readonly code: string;
  readonly fields: readonly string[];
  constructor(code: string, message: string, fields: readonly string[] = []) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** One organisation with contacts, leads, tasks and a report. */
export class SalesforceAccount extends VendorAccount<SalesforceBehaviour> {
  readonly records = new Map<string, SalesforceRecord>();
  /** Pages of queries that were not asked for yet. */
  /** Pages that were not read yet, each of one session. */
  readonly locators = new Map<string, { session: string; rows: readonly object[] }>();
  readonly #sessions = new Set<string>();
  reports: { id: string; name: string; members: string[] }[] = [];
  #next = 1;

  constructor() {
    super({ pageSize: 200, dailyMost: 100_000, dailyUsed: 0, hasMessagingFields: true, hiddenField: '' });
    this.reset();
  }

  override reset(): void {
    super.reset();
    this.clearRecords();
    this.#sessions.clear();
    this.locators.clear();
    for (const values of sampleContacts) this.create('Contact', values);
    for (const values of sampleLeads) this.create('Lead', values);
    const buyers = [...this.records.values()].filter(({ values }) => values['Title'] === 'Buyer');
    this.reports = [{ id: salesforceId('Report', 1), name: 'Buyers', members: buyers.map(({ id }) => id) }];
  }

  beginSession(): string {
    const token = `00DRO0000000001!${randomBytes(24).toString('hex')}`;
    this.#sessions.add(token);
    return token;
  }

  /** Every session ends now, as it does after the hours that the organisation sets. */
  endSessions(): void {
    this.#sessions.clear();
  }

  isOpen = (token: string): boolean => !this.behaviour.isRevoked && this.#sessions.has(token);

  fieldsOf(type: SalesforceType): readonly SalesforceField[] {
    const { hasMessagingFields, hiddenField } = this.behaviour;
    return salesforceFields[type].filter(
      ({ name }) =>
        name !== hiddenField && (hasMessagingFields || ![OPT_OUT_FIELD, PHONE_KEY_FIELD].includes(name)),
    );
  }

  list(type: SalesforceType): SalesforceRecord[] {
    return [...this.records.values()].filter((one) => one.type === type);
  }

  /** By the whole id, or by its first 15 characters, which name the same record. */
  find(id: string): SalesforceRecord | undefined {
    const known = this.records.get(id);
    if (known || id.length !== 15) return known;
    return [...this.records.values()].find((one) => one.id.startsWith(id));
  }

  create(type: SalesforceType, given: Readonly<Record<string, unknown>>): SalesforceRecord {
    const values = this.#clean(type, given);
    const lacking = salesforceFields[type]
      .filter(({ name, isRequired }) => isRequired && !values[name])
      .map(({ name }) => name);
    if (lacking.length > 0)
      throw new SalesforceError(
        'REQUIRED_FIELD_MISSING',
        `Required fields are missing: [${lacking.join(', ')}]`,
        lacking,
      );
    const id = salesforceId(type, (this.#next += 1));
    this.#checkUnique(type, values, id);
    const at = this.now();
    const state = { isDeleted: false, isConverted: false, createdAt: at, changedAt: at };
    const record: SalesforceRecord = { id, type, values, ...state };
    this.records.set(id, record);
    return record;
  }

  update(record: SalesforceRecord, given: Readonly<Record<string, unknown>>): SalesforceRecord {
    if (record.isDeleted) throw new SalesforceError('ENTITY_IS_DELETED', 'entity is deleted');
    const values = this.#clean(record.type, given);
    if ('LastName' in values && !values['LastName'])
      throw new SalesforceError('REQUIRED_FIELD_MISSING', 'Required fields are missing: [LastName]', [
        'LastName',
      ]);
    this.#checkUnique(record.type, values, record.id);
    Object.assign(record.values, values);
    record.changedAt = this.now();
    return record;
  }

  /** Into the recycle bin. */
  remove(record: SalesforceRecord): void {
    record.isDeleted = true;
    record.changedAt = this.now();
  }

  /** A lead becomes a contact. */
  convert(lead: SalesforceRecord): SalesforceRecord {
    const { Company: _company, Status: _status, ...rest } = lead.values;
    lead.isConverted = true;
    lead.changedAt = this.now();
    return this.create('Contact', rest);
  }

  /** With what the vendor makes by itself. */
  read(record: SalesforceRecord): Record<string, Value> {
    const { id, type, values, isDeleted, isConverted, createdAt, changedAt } = record;
    const none = Object.fromEntries(
      this.fieldsOf(type).map(({ name, type: kind }) => [name, kind === 'boolean' ? false : null]),
    );
    const name = [values['FirstName'], values['LastName']].filter(Boolean).join(' ');
    return {
      ...none,
      ...Object.fromEntries(Object.entries(values).filter(([field]) => field in none)),
      ...{ Id: id, IsDeleted: isDeleted, CreatedDate: stampOf(createdAt) },
      ...{ LastModifiedDate: stampOf(changedAt), SystemModstamp: stampOf(changedAt) },
      ...(type !== 'Task' && { Name: name }),
      ...(type === 'Lead' && { IsConverted: isConverted }),
    };
  }

  #clean(type: SalesforceType, given: Readonly<Record<string, unknown>>): Record<string, Value> {
    const known = new Map(this.fieldsOf(type).map((one) => [one.name, one]));
    const values: Record<string, Value> = {};
    for (const [name, value] of Object.entries(given)) {
      const field = known.get(name);
      if (!field)
        throw new SalesforceError('INVALID_FIELD', `No such column '${name}' on sobject of type ${type}`, [
          name,
        ]);
      if (!field.updateable)
        throw new SalesforceError(
          'INVALID_FIELD_FOR_INSERT_UPDATE',
          `Unable to create/update fields: ${name}. Please check the security settings of this field.`,
          [name],
        );
      values[name] = readValue(field, value);
    }
    return values;
  }

  #checkUnique(type: SalesforceType, values: Record<string, Value>, id: string): void {
    const key = values[PHONE_KEY_FIELD];
    if (!key) return;
    const other = this.list(type).find(
      (one) => one.id !== id && !one.isDeleted && one.values[PHONE_KEY_FIELD] === key,
    );
    if (other)
      throw new SalesforceError(
        'DUPLICATE_VALUE',
        `duplicate value found: ${PHONE_KEY_FIELD} duplicates value on record with id: ${other.id}`,
      );
  }

  override listRecords(): ShownRecord[] {
    return [...this.records.values()].filter(({ type }) => type !== 'Task').map(show);
  }

  /** `Type` says what a new record is; a contact where it says nothing. */
  override putRecord(id: string | null, { Type, ...values }: Record<string, string>): ShownRecord {
    const known = id === null ? null : this.records.get(id)!; // the controls looked
    const type = salesforceTypes.find((one) => one === Type) ?? 'Contact';
    return show(known ? this.update(known, values) : this.create(type, values));
  }

  override deleteRecord(id: string): void {
    const known = this.records.get(id);
    if (known) this.remove(known);
  }

  override personOf({ first, last, phone, email }: MadePerson) {
    return { FirstName: first, LastName: last, MobilePhone: phone, Email: email };
  }

  override clearRecords(): void {
    this.records.clear();
  }

  override happen(name: string, { id = '' }: Record<string, string>): object {
    if (name === 'sessions-end') {
      this.endSessions();
      return { success: true };
    }
    const lead = this.records.get(id);
    if (name === 'lead-converted' && lead?.type === 'Lead') return show(this.convert(lead));
    return super.happen(name, { id });
  }
}

/** Times of the vendor are whole seconds. */
export const stampOf = (at: number): string =>
  `${new Date(Math.floor(at / 1_000) * 1_000).toISOString().slice(0, -1)}+0000`;

function readValue({ name, type }: SalesforceField, value: unknown): Value {
  if (type === 'boolean') return value === true || value === 'true';
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '') return null;
  if (type === 'double') {
    const number = Number(text);
    if (Number.isNaN(number))
      throw new SalesforceError(
        'INVALID_TYPE_ON_FIELD_IN_RECORD',
        `${name}: value not of required type: ${text}`,
        [name],
      );
    return number;
  }
  if (type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    throw new SalesforceError('INVALID_EMAIL_ADDRESS', `Email: invalid email address: ${text}`, [name]);
  if (type === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(text))
    throw new SalesforceError('JSON_PARSER_ERROR', `Cannot deserialize instance of date from ${text}`, [
      name,
    ]);
  if (type === 'datetime' && Number.isNaN(Date.parse(/T\d\d:/.test(text) ? text : '')))
    throw new SalesforceError('JSON_PARSER_ERROR', `Cannot deserialize instance of datetime from ${text}`, [
      name,
    ]);
  return text;
}

function show({ id, type, isDeleted, isConverted, values }: SalesforceRecord): ShownRecord {
  const texts = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === false ? [] : [[name, String(value)] as const],
  );
  return { id, isDeleted: isDeleted || isConverted, values: { Type: type, ...Object.fromEntries(texts) } };
}
