import type { ContactSort } from '@app/domain/contacts/contact';
import { findsPerson } from '../../../shared/offline/find-person.ts';
import {
  campaignOf,
  importOf,
  readFilter,
  reportOf,
  segmentOf,
  type Contact,
} from '../../../shared/contacts/contacts-queries.ts';

type Wanted = { search: string; filter: string; sort: ContactSort };
type Kept = Pick<
  Contact,
  'name' | 'phone' | 'email' | 'tags' | 'status' | 'language' | 'createdAt' | 'lastMessageTime'
>;

/** What the server would find among these contacts; undefined where only the server knows: a segment, an import, a campaign, a report. */
export function findKeptContacts<One extends Kept>(
  contacts: readonly One[],
  { search, filter, sort }: Wanted,
): One[] | undefined {
  if (segmentOf(filter) || importOf(filter) || campaignOf(filter) || reportOf(filter)) return undefined;
  const { status, tag, language } = readFilter(filter);
  return contacts
    .filter((one) => status === undefined || one.status === status)
    .filter((one) => language === undefined || speaks(one.language, language))
    .filter((one) => tag === undefined || one.tags.includes(tag))
    .filter((one) => findsPerson(one, search))
    .toSorted(orders[sort]);
}

function speaks(language: string | null, wanted: string): boolean {
  if (wanted === 'none') return language === null;
  return language === wanted || (language ?? '').startsWith(`${wanted}_`);
}

const newest = (a: Kept, b: Kept) => compare(b.createdAt, a.createdAt);
const byName = (a: Kept, b: Kept) => a.name.localeCompare(b.name);
const orders: Record<ContactSort, (a: Kept, b: Kept) => number> = {
  newest,
  oldest: (a, b) => newest(b, a),
  name: byName,
  name_desc: (a, b) => byName(b, a),
  last_message: (a, b) => compare(b.lastMessageTime ?? '', a.lastMessageTime ?? ''),
};

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
