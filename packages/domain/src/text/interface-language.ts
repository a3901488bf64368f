/** The languages of the interface and of mails. A template has languages of its own. */
export const interfaceLanguages = ['en', 'es', 'fr', 'de', 'pt'] as const;

export type InterfaceLanguage = (typeof interfaceLanguages)[number];

/** The cookie of a browser in which somebody chose a language; scripts write it, the server reads it. */
export const LANGUAGE_COOKIE = 'language';

export function isInterfaceLanguage(value: unknown): value is InterfaceLanguage {
  return interfaceLanguages.some((language) => language === value);
}

/** The first of the wanted languages that there is (`de-CH` is `de`), else English. */
export function chooseLanguage(wanted: readonly (string | null | undefined)[]): InterfaceLanguage {
  return (
    wanted.map((tag) => tag?.trim().split('-')[0]?.toLowerCase()).find((tag) => isInterfaceLanguage(tag)) ??
    'en'
  );
}

/** What a request asks for: the language chosen in this browser, then those of `Accept-Language`, best first. */
export function readLanguages(headers: { cookie: string | null; acceptLanguage: string | null }): string[] {
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]{2})(?:;|$)`).exec(
    headers.cookie ?? '',
  )?.[1];
  return [...(chosen ? [chosen] : []), ...readAccepted(headers.acceptLanguage ?? '')];
}

/** Nobody lists more; a longer header is somebody's attempt. */
const MOST_ACCEPTED = 20;

function readAccepted(header: string): string[] {
  return header
    .slice(0, 1000)
    .split(',', MOST_ACCEPTED)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { tag, quality: Number(quality) };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
