import { useMemo } from 'react';
import { phoneCountries, readPhoneCountry, type PhoneCountry } from '@app/domain/contacts/phone-country';
import { formatCountry } from '../formats.ts';
import { t, useLocale } from '../messages.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Field } from '../../ui/field.tsx';

/** Of which country numbers without a code are, found by typing; none asks for the code. */
export function CountryField({
  value,
  hint,
  isNeeded = false,
  onChange,
}: {
  value: PhoneCountry | undefined;
  hint?: string | undefined;
  /** Nothing goes on before it is chosen. */
  isNeeded?: boolean;
  onChange: (country: PhoneCountry | '') => void;
}) {
  const locale = useLocale();
  const options = useMemo(
    () =>
      phoneCountries
        .map((code) => ({ value: code, label: formatCountry(code) }))
        .toSorted((one, other) => one.label.localeCompare(other.label, locale)),
    [locale],
  );
  return (
    <Field
      label={t('contacts.importCountry')}
      hint={hint}
      error={isNeeded ? t('contacts.importNeedsCountry') : undefined}
      required={isNeeded}
    >
      <Combobox
        value={options.find((option) => option.value === value) ?? null}
        options={options}
        placeholder={t('contacts.importCountryNone')}
        onChange={(option) => onChange(readPhoneCountry(option?.value ?? '') ?? '')}
      />
    </Field>
  );
}
