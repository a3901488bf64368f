import { setupI18n, type I18n } from '@lingui/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import de from './messages/de/mails.json' with { type: 'json' };
import en from './messages/en/mails.json' with { type: 'json' };
import es from './messages/es/mails.json' with { type: 'json' };
import fr from './messages/fr/mails.json' with { type: 'json' };
import pt from './messages/pt/mails.json' with { type: 'json' };

export type MailKey = keyof typeof en;

const texts: Record<InterfaceLanguage, Record<MailKey, string>> = { en, es, fr, de, pt };
const catalogues = new Map<InterfaceLanguage, I18n>();

/** The texts of mails in the language of whoever gets one; the catalogues have the form of the web's. */
export function mailWords(
  language: InterfaceLanguage,
): (key: MailKey, values?: Record<string, string>) => string {
  const i18n = catalogues.get(language) ?? compile(language);
  return (key, values) => i18n._(key, values);
}

/** When the first mail in a language goes out. */
function compile(language: InterfaceLanguage): I18n {
  const compiled = Object.entries(texts[language]).map(([key, text]) => [key, compileMessageOrThrow(text)]);
  const i18n = setupI18n({ locale: language, messages: { [language]: Object.fromEntries(compiled) } });
  catalogues.set(language, i18n);
  return i18n;
}
