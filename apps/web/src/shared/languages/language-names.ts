import type { Locale } from '../messages.ts';

/** Each language by its own name, which is the same in all of them. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  pt: 'Português',
};
