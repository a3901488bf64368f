import type { ContactStatus } from '@app/domain/contacts/contact';
import type { Contact } from './contacts-queries.ts';

/** The form's own shape of a contact. */
export type ContactValues = {
  name: string;
  phone: string;
  email: string;
  tags: string[];
  status: ContactStatus;
};
export type ContactField = keyof ContactValues;

export const contactFields = [
  'name',
  'phone',
  'email',
  'tags',
  'status',
] as const satisfies readonly ContactField[];

export function toValues(contact: Contact | undefined): ContactValues {
  return {
    name: contact?.name ?? '',
    phone: contact?.phone ?? '',
    email: contact?.email ?? '',
    tags: contact?.tags ?? [],
    status: contact?.status ?? 'active',
  };
}

/** Only what differs is sent, so that a field that was not touched stays as it is. */
export function changesOf(values: ContactValues, base: Contact) {
  const email = values.email.trim() || null;
  return {
    ...(values.name !== base.name && { name: values.name }),
    ...(values.phone.trim() !== (base.phone ?? '') && { phone: values.phone }),
    ...(email !== base.email && { email }),
    ...(!isEqual(values.tags, base.tags) && { tags: values.tags }),
    ...(values.status !== base.status && { status: values.status }),
  };
}

/** The fields in which two states differ. */
export function differingFields(one: ContactValues, other: ContactValues): ContactField[] {
  return contactFields.filter((field) => !isEqual(one[field], other[field]));
}

/** What was typed over `base`, on top of what somebody else has made of it: fields that were not touched are theirs. */
export function mergeValues(base: ContactValues, mine: ContactValues, theirs: ContactValues): ContactValues {
  const touched = differingFields(base, mine).map((field) => [field, mine[field]]);
  return { ...theirs, ...Object.fromEntries(touched) };
}

function isEqual(one: string | readonly string[], other: string | readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
