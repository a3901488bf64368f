import { useMemo } from 'react';
import { languageOption, languageOptions } from '../../shared/contacts/contact-languages.ts';
import { t } from '../../shared/messages.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Field } from '../../ui/field.tsx';

/** The language of a contact, found by typing; empty while nobody said it. */
export function LanguageField({
  value,
  error,
  onChange,
}: {
  value: string;
  error?: string | undefined;
  onChange: (code: string) => void;
}) {
  const options = useMemo(() => languageOptions(), []);
  return (
    <Field label={t('contacts.language')} hint={t('contacts.languageHint')} error={error}>
      <Combobox
        value={value === '' ? null : languageOption(value)}
        options={options}
        placeholder={t('contacts.languageUnknown')}
        onChange={(option) => onChange(option?.value ?? '')}
      />
    </Field>
  );
}
