import { phoneCountries } from '@app/domain/contacts/phone-country';
import { formatCountry } from '../formats.ts';

/** Every country that has telephone numbers, by its name. */
export function CountryOptions() {
  return phoneCountries
    .map((code) => ({ code, name: formatCountry(code) }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ code, name }) => (
      <option key={code} value={code}>
        {name}
      </option>
    ));
}
