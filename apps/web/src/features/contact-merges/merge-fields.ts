import { findOwner, mergeFields, type MergeField } from '@app/domain/contact-merges/merge-rules';
import { languageName } from '../../shared/contacts/contact-languages.ts';
import { customValueText, type CustomField } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import type { Contact } from '../../shared/contacts/contacts-queries.ts';

/** At least two, the survivor first. */
export type Merging = readonly [Contact, ...Contact[]];
/** Whose value stays, by the id of the row. */
export type Picks = Readonly<Record<string, string>>;

export type MergeRow = {
  /** A field, or `custom:` and the key of a custom field. */
  id: string;
  label: string;
  read: (contact: Contact) => string;
};

const CUSTOM = 'custom:';

/** The fields of which one value stays; custom ones only when a contact has a value. */
export function mergeRows(
  contacts: Merging,
  customFields: readonly Pick<CustomField, 'key' | 'label' | 'type'>[],
): MergeRow[] {
  const plain = mergeFields.map((field): MergeRow => ({
    id: field,
    label: t(`contacts.field.${field}`),
    read: (contact) => {
      const value = contact[field] ?? '';
      return field === 'language' && value !== '' ? languageName(value) : value;
    },
  }));
  const custom = customFields
    .filter(({ key }) => contacts.some(({ customFields: values }) => values[key] !== undefined))
    .map(({ key, label, type }): MergeRow => ({
      id: `${CUSTOM}${key}`,
      label,
      read: ({ customFields: values }) =>
        values[key] === undefined ? '' : customValueText(type, values[key]),
    }));
  return [...plain, ...custom];
}

/** The contact whose value stays: the picked one, or what the server would take without a pick. */
export function ownerOf(contacts: Merging, { id, read }: MergeRow, picks: Picks): string {
  return findOwner(contacts, picks[id], read).id;
}

export function isSame(contacts: Merging, { read }: MergeRow): boolean {
  return contacts.every((contact) => read(contact) === read(contacts[0]));
}

/** The picks as the server takes them. */
export function readPicks(picks: Picks): {
  picks: Partial<Record<MergeField, string>>;
  customPicks: Record<string, string>;
} {
  const entries = Object.entries(picks);
  return {
    picks: Object.fromEntries(entries.filter(([row]) => mergeFields.some((field) => field === row))),
    customPicks: Object.fromEntries(
      entries
        .filter(([row]) => row.startsWith(CUSTOM))
        .map(([row, contactId]) => [row.slice(CUSTOM.length), contactId]),
    ),
  };
}

/** Who is most likely to be the main one: who wrote last, or else who was added first. */
export function suggestSurvivor(contacts: Merging): string {
  return contacts.reduce((best, one) => (isAhead(one, best) ? one : best)).id;
}

function isAhead(one: Contact, other: Contact): boolean {
  const [last, otherLast] = [one.lastMessageTime ?? '', other.lastMessageTime ?? ''];
  return last === otherLast ? one.createdAt < other.createdAt : last > otherLast;
}
