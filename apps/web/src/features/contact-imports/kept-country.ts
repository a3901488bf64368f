import { readPhoneCountry, type PhoneCountry } from '@app/domain/contacts/phone-country';
import { OFFLINE_PREFIX } from '../../shared/offline/offline-copy.ts';
import { ownerHere } from '../../shared/session.ts';

const placeHere = () => `${OFFLINE_PREFIX}import-country.${ownerHere()}`;

/** The next file is most often of the same country. */
export function keepCountry(country: PhoneCountry): void {
  try {
    localStorage.setItem(placeHere(), country);
  } catch {
    // Without storage it is chosen anew.
  }
}

export function findKeptCountry(): PhoneCountry | undefined {
  try {
    return readPhoneCountry(localStorage.getItem(placeHere()) ?? '');
  } catch {
    return undefined;
  }
}
