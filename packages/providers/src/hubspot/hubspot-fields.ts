import { joinName, splitName } from '@app/domain/integrations/split-name';
import type { RemoteRecord } from '@app/domain/integrations/contact-connector';
import { recordOf, textOf } from '../calls/json-values.ts';

/** Properties of ours, created at the first write. The number is unique, so that a record is created once. */
export const PHONE_PROPERTY = 'messaging_phone_e164';
export const OPT_OUT_PROPERTY = 'messaging_opt_out';

/** Fields that stand for several properties of the vendor. */
const joined: Readonly<Record<string, readonly string[]>> = {
  name: ['firstname', 'lastname'],
  phone: ['phone', 'mobilephone'],
};

/** The properties to ask for, of the mapped fields. */
export function propertiesOf(fields: readonly string[]): string[] {
  return [...new Set([...fields.flatMap((field) => joined[field] ?? [field]), 'lastmodifieddate'])];
}

/** A contact of the vendor as a record; null for what has no id. */
export function readContact(
  raw: unknown,
  fields: readonly string[],
  clockAheadMs: number,
): RemoteRecord | null {
  const { id, archived, updatedAt: listedAt, archivedAt, properties: given } = recordOf(raw);
  const properties = recordOf(given);
  const text = (name: string) => textOf(properties[name]);
  const key = typeof id === 'number' ? String(id) : textOf(id);
  if (key === null) return null;
  const at = textOf(archivedAt) ?? text('lastmodifieddate') ?? textOf(listedAt);
  const values: Record<string, string | null> = {};
  for (const field of fields)
    if (field === 'name') values[field] = joinName(text('firstname'), text('lastname'));
    else if (field === 'phone') values[field] = text('phone') ?? text('mobilephone');
    // A property without a value is null; one that was deleted is not in the answer, and is no empty value.
    else if (Object.hasOwn(properties, field)) values[field] = text(field);
  const updatedAt = new Date(at ?? 0);
  const editedAt = new Date(updatedAt.getTime() - clockAheadMs);
  return { id: key, updatedAt, editedAt, isDeleted: archived === true, values };
}

/** What is written: an empty text takes a value away. */
export function writeProperties(values: Readonly<Record<string, string | null>>): Record<string, string> {
  const written: Record<string, string> = {};
  for (const [field, value] of Object.entries(values))
    if (field === 'name') {
      const { first, last } = splitName(value ?? '');
      Object.assign(written, { firstname: first, lastname: last });
    } else written[field] = value ?? '';
  return written;
}
