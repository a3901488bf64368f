import { cleanText, contactLimits, readEmailAddress } from '@app/domain/contacts/contact';
import { findByPhone } from '../../contacts/contact-aliases.ts';
import { addContact } from '../../contacts/contact-changes.ts';
import { findHomeCountry } from '../../contacts/home-country.ts';
import { readPhoneNumber } from '../../contacts/phone-number.ts';
import type { Fingerprints } from '../../platform/erased-people.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

export type GivenContact = { phone: string; name?: string; email?: string };

/**
 * The contact with this number in any of its spellings, or a new one, by the rules of imports: numbers without a country code are of the country of the
 * workspace, a contact that is there keeps its fields, and one who was erased is not made again.
 */
export async function findOrAddContact(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { phone, name = '', email = '' }: GivenContact,
  { mayAdd }: { mayAdd: boolean },
): Promise<
  { contactId: string; number: string } | 'contact_phone_invalid' | 'contact_not_found' | 'contact_erased'
> {
  const country = await findHomeCountry(scope);
  const number = readPhoneNumber(phone, country ?? undefined);
  if (!number) return 'contact_phone_invalid';
  const known = await findByPhone(scope, number);
  if (known !== null) return { contactId: known, number };
  if (!mayAdd) return 'contact_not_found';
  const added = await addContact(scope, secrets, {
    ...{ phone: number, name: cleanText(name).slice(0, contactLimits.name) || number },
    ...{
      email: readEmailAddress(email) ?? null,
      language: null,
      tags: [],
      status: 'active',
      customFields: {},
    },
  });
  if (typeof added === 'object' && 'id' in added) return { contactId: added.id, number };
  if (added === 'contact_erased') return added;
  // Another call with the number was faster.
  const other = added === 'contact_phone_taken' ? await findByPhone(scope, number) : null;
  return other === null ? 'contact_phone_invalid' : { contactId: other, number };
}
