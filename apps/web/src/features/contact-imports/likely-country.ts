import { phoneCountries, readPhoneCountry, type PhoneCountry } from '@app/domain/contacts/phone-country';

/** Newer than the types of the language. */
type LocaleOfZones = Intl.Locale & { getTimeZones?: () => string[] | undefined };

/** In which country this browser seems to be: by the zone of its clock, else by the region of its language. Only ever proposed, never taken. */
export function findLikelyCountry(
  zone = Intl.DateTimeFormat().resolvedOptions().timeZone,
  languages = navigator.languages,
): PhoneCountry | undefined {
  return countryOfZone(zone) ?? countryOfLanguage(languages[0]);
}

/** Of a zone of several countries, or of none, nothing follows. */
function countryOfZone(zone: string): PhoneCountry | undefined {
  const places = phoneCountries.filter((country) => {
    const place: LocaleOfZones = new Intl.Locale(`und-${country}`);
    return place.getTimeZones?.()?.includes(zone);
  });
  return places.length === 1 ? places[0] : undefined;
}

function countryOfLanguage(tag: string | undefined): PhoneCountry | undefined {
  try {
    return tag === undefined ? undefined : readPhoneCountry(new Intl.Locale(tag).region ?? '');
  } catch {
    return undefined;
  }
}
