import { chooseLanguage, readLanguages, type InterfaceLanguage } from '@app/domain/text/interface-language';

/** The language that whoever sends this request reads: the one chosen in their browser, else what the browser asks for. */
export function languageOf({ headers }: Request): InterfaceLanguage {
  return chooseLanguage(
    readLanguages({ cookie: headers.get('cookie'), acceptLanguage: headers.get('accept-language') }),
  );
}
