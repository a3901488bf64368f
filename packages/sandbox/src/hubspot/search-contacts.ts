import { objectsOf, objectOf, listOf, textOf, type JsonObject } from '../core/json.ts';
import type { HubspotAccount, HubspotContact } from './hubspot-account.ts';
import { invalid } from './hubspot-error.ts';

const MOST_RESULTS = 10_000;

/** `POST …/contacts/search`: groups are alternatives, the filters of a group hold together. Archived records are never found. */
export function searchContacts(
  account: HubspotAccount,
  body: JsonObject,
): { total: number; found: HubspotContact[]; after: string | null } {
  const limit = Number(body['limit'] ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) throw invalid('limit must be between 1 and 200');
  const from = Number(body['after'] ?? 0) || 0;
  if (from + limit > MOST_RESULTS) throw invalid('Only the first 10000 results can be paged through');
  const groups = objectsOf(body['filterGroups']);
  if (groups.length > 5 || groups.some((group) => listOf(group['filters']).length > 6))
    throw invalid('There can be at most 5 filterGroups with 6 filters each');
  const visibleBefore = Date.now() + account.behaviour.clockAheadMs - account.behaviour.searchLagMs;
  const alternatives = groups.map((group) => objectsOf(group['filters']));
  const matches = [...account.contacts.values()]
    .filter(
      (contact) =>
        !contact.archived && (account.behaviour.searchLagMs === 0 || contact.updatedAt <= visibleBefore),
    )
    .map((contact) => ({ contact, read: account.read(contact) }))
    .filter(
      ({ read }) =>
        alternatives.length === 0 ||
        alternatives.some((filters) => filters.every((filter) => fits(read, filter))),
    );
  const sort = listOf(body['sorts'])[0];
  const property = typeof sort === 'string' ? sort.replace(/^-/, '') : textOf(objectOf(sort)['propertyName']);
  const isDescending =
    typeof sort === 'string' ? sort.startsWith('-') : objectOf(sort)['direction'] === 'DESCENDING';
  if (property !== undefined)
    matches.sort(
      (a, b) =>
        (compare(a.read[property] ?? '', b.read[property] ?? '') ||
          Number(a.contact.id) - Number(b.contact.id)) * (isDescending ? -1 : 1),
    );
  const found = matches.slice(from, from + limit).map(({ contact }) => contact);
  const after = from + limit < matches.length ? String(from + limit) : null;
  return { total: matches.length, found, after };
}

function fits(properties: Record<string, string>, filter: JsonObject): boolean {
  const name = textOf(filter['propertyName']) ?? '';
  const value = valueOf(properties, name);
  const wanted = textOf(filter['value']) ?? '';
  const values = listOf(filter['values']).map((one) => (textOf(one) ?? '').toLowerCase());
  switch (filter['operator']) {
    case 'EQ':
      return value.toLowerCase() === wanted.toLowerCase();
    case 'NEQ':
      return value.toLowerCase() !== wanted.toLowerCase();
    case 'GT':
      return compare(value, wanted) > 0;
    case 'GTE':
      return compare(value, wanted) >= 0;
    case 'LT':
      return compare(value, wanted) < 0;
    case 'LTE':
      return compare(value, wanted) <= 0;
    case 'IN':
      return values.includes(value.toLowerCase());
    case 'NOT_IN':
      return !values.includes(value.toLowerCase());
    case 'HAS_PROPERTY':
      return value !== '';
    case 'NOT_HAS_PROPERTY':
      return value === '';
    case 'CONTAINS_TOKEN':
      return value.toLowerCase().includes(wanted.toLowerCase().replaceAll('*', ''));
    default:
      throw invalid(`operator ${String(filter['operator'])} is not known`);
  }
}

/** The vendor searches by national digits under names of its own. */
function valueOf(properties: Record<string, string>, name: string): string {
  const searchable = /^hs_searchable_calculated_(phone|mobile)_number$/.exec(name)?.[1];
  if (searchable === undefined) return properties[name] ?? '';
  const digits = (properties[searchable === 'phone' ? 'phone' : 'mobilephone'] ?? '').replaceAll(/\D/g, '');
  return digits.replace(/^(1|7|20|27|3[0-469]|4\d|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/, '');
}

/** Times are given in milliseconds, also where the property is shown as a date. */
function compare(a: string, b: string): number {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return a < b ? -1 : a > b ? 1 : 0;
}

function numberOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
}
