import {
  isInterfaceLanguage,
  LANGUAGE_COOKIE,
  type InterfaceLanguage,
} from '@app/domain/text/interface-language';

const A_YEAR_SECONDS = 31_536_000;

/** The language that somebody chose in this browser, or that the account has who signed in here last. */
export function readChosenLanguage(): InterfaceLanguage | null {
  const value = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(document.cookie)?.[1];
  return isInterfaceLanguage(value) ? value : null;
}

/** In a cookie, so that the server sends the next page in this language; it stays after sign-out. */
export function keepChosenLanguage(language: InterfaceLanguage): void {
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; SameSite=Lax; Max-Age=${A_YEAR_SECONDS}`;
}
