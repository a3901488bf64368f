import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { sayMessage, type Message, type Messages } from '@app/domain/text/say-message';
import mails from './mails.json' with { type: 'json' };

export type MailKey = keyof typeof mails;

const texts: Record<MailKey, Record<InterfaceLanguage, string>> = mails;
const catalogues = new Map<InterfaceLanguage, Messages>();

/** The texts of mails in the language of whoever gets one; they have the form of the web's. */
export function mailWords(
  language: InterfaceLanguage,
): (key: MailKey, values?: Record<string, string | number>) => string {
  const messages = catalogues.get(language) ?? compile(language);
  return (key, values = {}) => sayMessage(messages[key] ?? [], values, language);
}

/** When the first mail in a language goes out. */
function compile(language: InterfaceLanguage): Messages {
  const messages = Object.fromEntries(
    // The compiler's own type says no more than that it is a list.
    Object.entries(texts).map(([key, spoken]) => [key, compileMessageOrThrow(spoken[language]) as Message]),
  );
  catalogues.set(language, messages);
  return messages;
}
