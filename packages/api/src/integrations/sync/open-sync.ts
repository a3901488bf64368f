import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { ContactConnector, FieldMapping } from '@app/domain/integrations/contact-connector';
import type { ItemConnector } from '@app/domain/integrations/connector-items';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import { dayOfMoment, momentOfDay } from '@app/domain/integrations/day-of-moment';
import { passesFilter } from '@app/domain/integrations/sync-filter';
import { identityOfNumber } from '@app/domain/contacts/number-spellings';
import { readEmailAddress } from '@app/domain/contacts/contact';
import { cleanName, contactLimits } from '@app/domain/contacts/contact';
import { readLanguage } from '@app/domain/contacts/contact-language';
import { readCustomValue } from '@app/domain/custom-fields/custom-field';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { DEFAULT_TIME_ZONE } from '@app/domain/settings/budget';
import { findHomeCountry } from '../../contacts/home-country.ts';
import { readPhoneNumber } from '../../contacts/phone-number.ts';
import type { Contact } from '../../contacts/contacts-queries.ts';
import type { Fingerprints } from '../../platform/erased-people.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import type { IntegrationRow } from '../integration-rows.ts';
import type { RecordRow, Theirs } from './record-row.ts';

/** What all steps of a run know. */
export type Sync = {
  integration: IntegrationRow;
  kind: ConnectorKind;
  contacts: ContactConnector;
  items: ItemConnector | null;
  mapping: readonly FieldMapping[];
  /** The vendor's fields to ask for. */
  fields: readonly string[];
  /** The field of theirs that holds an opt-out. */
  optOutField: string | undefined;
  customFields: readonly CustomFieldRule[];
  home: PhoneCountry | undefined;
  /** The clocks by which a point in time of the vendor is a day here. */
  timeZone: string;
  /** Fields of the vendor that hold a point in time. */
  moments: ReadonlySet<string>;
  /** A number as E.164, or null. One that is written alike is parsed once for several uses. */
  readNumber(written: string): string | null;
  /** What was read of records in our form: each is needed to find, plan and store it. */
  reads: WeakMap<RecordRow, Theirs>;
  secrets: Fingerprints;
};

export async function readSyncRules(
  scope: ReadScope,
  { mapping }: IntegrationRow,
): Promise<Pick<Sync, 'customFields' | 'home' | 'timeZone' | 'readNumber' | 'reads'>> {
  const keys = mapping.flatMap(({ ours }) => (ours.startsWith('custom.') ? [ours.slice(7)] : []));
  const { rows } = await scope.query<CustomFieldRule>(
    'SELECT id, key, label, type, options FROM custom_fields WHERE workspace_id = $1 AND key = ANY ($2)',
    [scope.workspaceId, keys],
  );
  const home = (await findHomeCountry(scope)) ?? undefined;
  const { rows: zones } = await scope.query<{ zone: string | null }>(
    `SELECT settings->>'timeZone' AS zone FROM workspaces WHERE id = $1`,
    [scope.workspaceId],
  );
  const timeZone = zones[0]?.zone ?? DEFAULT_TIME_ZONE;
  return { customFields: rows, home, timeZone, readNumber: rememberNumbers(home), reads: new WeakMap() };
}

/** More than the numbers of two pages, so that what is read for one page is still there when it is stored. */
const REMEMBERED = 2_000;

/** Parsing a number is the most expensive part of reading a record, and each is needed about five times: to lock, find, plan, store and compare. */
function rememberNumbers(home: PhoneCountry | undefined): Sync['readNumber'] {
  const known = new Map<string, string | null>();
  return (written) => {
    const found = known.get(written);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const number = readPhoneNumber(written, home);
    known.set(written, number);
    return number;
  };
}

/** A value of the vendor in our form. `undefined`: it cannot be read, and stays as it is. */
export function readTheirs(
  { customFields, readNumber, timeZone }: Pick<Sync, 'customFields' | 'readNumber' | 'timeZone'>,
  ours: string,
  value: string | null | undefined,
): string | null | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return null;
  switch (ours) {
    case 'name':
      return cleanName(text).slice(0, contactLimits.name) || null;
    case 'phone':
      return readNumber(text) ?? undefined;
    case 'email': {
      const address = readEmailAddress(text);
      return address !== null && address !== undefined && address.length > contactLimits.email
        ? undefined
        : address;
    }
    case 'language':
      return readLanguage(text);
    default: {
      const field = customFields.find(({ key }) => ours === `custom.${key}`);
      if (!field) return undefined;
      const read = readCustomValue(field, text);
      if (!('problem' in read)) return writeValue(read.value);
      return field.type === 'date' ? dayOfMoment(text, timeZone) : undefined;
    }
  }
}

/** A value of a contact as it is compared and sent. */
export function readOurs(contact: Contact, ours: string): string | null {
  if (ours === 'name' || ours === 'phone' || ours === 'email' || ours === 'language') return contact[ours];
  return writeValue(contact.customFields[ours.slice(7)] ?? null);
}

/** A value of ours as it is written into a field of the vendor. */
export function writeTheirs(
  { customFields, moments, timeZone }: Pick<Sync, 'customFields' | 'moments' | 'timeZone'>,
  { ours, theirs }: Pick<FieldMapping, 'ours' | 'theirs'>,
  value: string | null,
): string | null {
  if (value === null || !moments.has(theirs)) return value;
  const isDate = customFields.some(({ key, type }) => ours === `custom.${key}` && type === 'date');
  return isDate ? momentOfDay(value, timeZone) : value;
}

/** The same address in other letters is the same. */
export function comparable(ours: string, value: string | null): string | null {
  return ours === 'email' ? (value?.toLowerCase() ?? null) : value;
}

export function fingerprintOf(
  { secrets, integration }: Pick<Sync, 'secrets' | 'integration'>,
  ours: string,
  value: string | null,
): string {
  return secrets
    .fingerprint(`integration ${integration.id} ${ours} ${comparable(ours, value) ?? ''}`)
    .slice(0, 22);
}

/** By which records that share a number are found, in any of its spellings; null for no number. */
export function phoneKeyOf(sync: Sync, written: string | null | undefined): string | null {
  const number = readTheirs(sync, 'phone', written);
  return number ? fingerprintOf(sync, 'phone identity', identityOfNumber(number)) : null;
}

/** Whether a record comes in by the filter. One that says an opt-out is looked at in any case: it holds for the contact who has its number. */
export function isWanted(
  { integration: { filter }, optOutField }: Pick<Sync, 'integration' | 'optOutField'>,
  values: RecordRow['remote_values'],
): boolean {
  return passesFilter(filter, values) || (optOutField !== undefined && isYes(values[optOutField]));
}

export const isYes = (value: string | null | undefined): boolean =>
  ['true', 'yes', '1'].includes((value ?? '').trim().toLowerCase());

function writeValue(value: string | number | boolean | null): string | null {
  return value === null ? null : String(value);
}
