import type { OwnAccount } from '../platform/account/own-account.ts';
import { removeLink } from './company-identities.ts';
import { hasOtherWayIn } from './other-ways-in.ts';

/** Deletes the link of this person to the company's provider; null when done. Emits `account.company_unlinked`. */
export async function unlinkCompany(
  { client, userId, emit }: OwnAccount,
  { issuer, name }: { issuer: string; name: string },
): Promise<'company_only_way_in' | 'company_not_linked' | null> {
  if (!(await hasOtherWayIn(client, userId))) return 'company_only_way_in';
  if (!(await removeLink(client, issuer, userId))) return 'company_not_linked';
  // A sign-in that waits for its code ends with the link that began it.
  await client.query('DELETE FROM verifications WHERE value = $1', [userId]);
  await emit({ type: 'account.company_unlinked', subject: userId, values: { provider: name } });
  return null;
}
