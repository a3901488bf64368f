import { isBadValue } from '../channel-kinds/kind-codes.ts';
import { findKindText } from '../channel-kinds/kind-texts.ts';
import type { DeliveryError } from './rejection.ts';

/** What the product itself says, by its own codes: the same for every kind of channel. English; the web has them in five languages (`deliveries.json`). */
export const ownErrorWords: Readonly<Record<string, string>> = {
  account_restricted:
    'The platform restricts this account. See in its business settings why, and until when; then resume.',
  account_banned: 'The platform has banned this account. Ask for a review in its business settings.',
  account_deleted:
    'The account was deleted on the platform. Connect a number of another account in Settings.',
};

/** One plain sentence for a failure; for an unlisted code the platform's own words. */
export function explainDeliveryError(error: DeliveryError): string {
  // Calls about templates report one code for everything and the reason in the subcode.
  const known = findKnown(error.subcode) ?? findKnown(error.code);
  if (known) return known.text;
  const own = error.details ?? error.title;
  return own === '' ? `The message was refused with code ${error.code}.` : own;
}

/**
 * The code under which the web has a text for an error of any call but a message; empty without one. The code for a bad value has a text about
 * messages, which is wrong here: the platform's own words say more.
 */
export function codeOfRejection({ code = '', subcode }: { code?: string; subcode?: string }): string {
  const word = wordOf({ code, ...(subcode !== undefined && { subcode }) });
  return isBadValue(word) ? '' : word;
}

/** The code under which a failure has a text; that of the platform when it has none. */
export function wordOf({ code, subcode }: Pick<DeliveryError, 'code' | 'subcode'>): string {
  return findKnown(subcode)?.code ?? findKnown(code)?.code ?? code;
}

function findKnown(code: string | undefined): { code: string; text: string } | undefined {
  if (code === undefined) return undefined;
  const own = Object.hasOwn(ownErrorWords, code) ? ownErrorWords[code] : undefined;
  return own === undefined ? findKindText(code) : { code, text: own };
}
