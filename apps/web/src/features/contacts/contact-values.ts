import { writeCustomValue } from '@app/domain/custom-fields/custom-field';
import type { ContactStatus } from '@app/domain/contacts/contact';
import type { Contact } from '../../shared/contacts/contacts-queries.ts';

/** The form's own shape of a contact. */
export type ContactValues = {
  name: string;
  phone: string;
  email: string;
  /** A code; empty while nobody said it. */
  language: string;
  tags: string[];
  status: ContactStatus;
  /** As typed, by the keys of the custom fields. */
  custom: Record<string, string>;
};
export type ContactField = Exclude<keyof ContactValues, 'custom'>;

export const contactFields = [
  'name',
  'phone',
  'email',
  'language',
  'tags',
  'status',
] as const satisfies readonly ContactField[];

export function toValues(
  contact: Contact | undefined,
  customFields: readonly { key: string }[],
): ContactValues {
  return {
    name: contact?.name ?? '',
    phone: contact?.phone ?? '',
    email: contact?.email ?? '',
    language: contact?.language ?? '',
    tags: contact?.tags ?? [],
    status: contact?.status ?? 'active',
    custom: Object.fromEntries(customFields.map(({ key }) => [key, writtenValue(contact, key)])),
  };
}

/** Only what differs is sent, so that a field that was not touched stays as it is. */
export function changesOf(values: ContactValues, base: Contact) {
  const email = values.email.trim() || null;
  const custom = Object.entries(values.custom).filter(
    ([key, text]) => text.trim() !== writtenValue(base, key),
  );
  return {
    ...(values.name !== base.name && { name: values.name }),
    ...(values.phone.trim() !== (base.phone ?? '') && { phone: values.phone }),
    ...(email !== base.email && { email }),
    ...(values.language !== (base.language ?? '') && { language: values.language || null }),
    ...(!isEqual(values.tags, base.tags) && { tags: values.tags }),
    ...(values.status !== base.status && { status: values.status }),
    ...(custom.length > 0 && { customFields: Object.fromEntries(custom) }),
  };
}

/** The fields in which two states differ. */
export function differingFields(one: ContactValues, other: ContactValues): ContactField[] {
  return contactFields.filter((field) => !isEqual(one[field], other[field]));
}

/** What was typed over `base`, on top of what somebody else has made of it: fields that were not touched are theirs. */
export function mergeValues(base: ContactValues, mine: ContactValues, theirs: ContactValues): ContactValues {
  const touched = differingFields(base, mine).map((field) => [field, mine[field]]);
  const custom = differingCustomKeys(base, mine).map((key) => [key, mine.custom[key]]);
  return {
    ...theirs,
    ...Object.fromEntries(touched),
    custom: { ...theirs.custom, ...Object.fromEntries(custom) },
  };
}

/** The keys of the custom fields in which two states differ. */
export function differingCustomKeys(one: ContactValues, other: ContactValues): string[] {
  return Object.keys(one.custom).filter((key) => one.custom[key] !== other.custom[key]);
}

function writtenValue(contact: Contact | undefined, key: string): string {
  return writeCustomValue(contact?.customFields[key] ?? '');
}

function isEqual(one: string | readonly string[], other: string | readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
