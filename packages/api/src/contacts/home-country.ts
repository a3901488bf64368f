import { findSendingChannel } from '@app/database/channels/find-channel';
import { readPhoneCountry, type PhoneCountry } from '@app/domain/contacts/phone-country';
import { countryOfNumber } from '@app/domain/settings/calling-codes';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** Of which country numbers without a code mostly are; null where neither the settings nor the number that sends say so. */
export async function findHomeCountry({ query, tx, workspaceId }: ReadScope): Promise<PhoneCountry | null> {
  const { rows } = await query<{ country: string | null }>(
    `SELECT settings->>'country' AS country FROM workspaces WHERE id = $1`,
    [workspaceId],
  );
  const set = readPhoneCountry(rows[0]?.country ?? '');
  if (set) return set;
  const shown = (await findSendingChannel(tx, workspaceId))?.displayName ?? '';
  const number = /^\+[\d\s().-]+$/.test(shown) ? shown.replaceAll(/\D/g, '') : '';
  return readPhoneCountry(countryOfNumber(number) ?? '') ?? null;
}
