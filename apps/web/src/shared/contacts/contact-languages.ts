import { contactLanguages, languageTag } from '@app/domain/contacts/contact-language';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { activeLocale } from '../messages.ts';

let names: { locale: string; find: (code: string) => string } | undefined;

/** What a language is called in that of the reader: `pt_BR` is “Brazilian Portuguese”. */
export function languageName(code: string): string {
  const locale = activeLocale();
  if (names?.locale !== locale) names = { locale, find: openNames(locale) };
  return names.find(code);
}

function openNames(locale: string): (code: string) => string {
  const said = new Intl.DisplayNames(locale, { type: 'language' });
  return (code) => {
    const name = nameIn(said, code);
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  };
}

/** A template of the platform may have a code that no browser knows. */
function nameIn(said: Intl.DisplayNames, code: string): string {
  try {
    return said.of(languageTag(code)) ?? code;
  } catch {
    return code;
  }
}

/** All that are offered, by their names; found by their code, too. */
export function languageOptions(): SelectOption[] {
  return contactLanguages
    .map(languageOption)
    .toSorted((one, other) => one.label.localeCompare(other.label, activeLocale()));
}

export function languageOption(code: string): SelectOption {
  return { value: code, label: languageName(code) };
}
