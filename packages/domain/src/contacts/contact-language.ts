/** Languages that are offered for a contact, by the codes of the platforms. Others are read all the same when their base is here. */
export const contactLanguages = [
  ...['af', 'am', 'ar', 'az', 'be', 'bg', 'bn', 'bs', 'ca', 'cs', 'cy', 'da', 'de', 'de_AT', 'de_CH', 'el'],
  ...['en', 'en_GB', 'en_US', 'es', 'es_AR', 'es_ES', 'es_MX', 'et', 'eu', 'fa', 'fi', 'fil', 'fr', 'fr_CA'],
  ...[
    'fr_CH',
    'ga',
    'gl',
    'gu',
    'ha',
    'he',
    'hi',
    'hr',
    'hu',
    'hy',
    'id',
    'is',
    'it',
    'ja',
    'ka',
    'kk',
    'km',
  ],
  ...['kn', 'ko', 'ku', 'ky', 'lb', 'lo', 'lt', 'lv', 'mk', 'ml', 'mn', 'mr', 'ms', 'mt', 'my', 'nb', 'ne'],
  ...['nl', 'nn', 'pa', 'pl', 'ps', 'pt', 'pt_BR', 'pt_PT', 'ro', 'ru', 'rw', 'si', 'sk', 'sl', 'so', 'sq'],
  ...['sr', 'sv', 'sw', 'ta', 'te', 'tg', 'th', 'tk', 'tr', 'uk', 'ur', 'uz', 'vi', 'zh', 'zh_CN', 'zh_HK'],
  ...['zh_TW', 'zu'],
] as const;

const BASES: ReadonlySet<string> = new Set(contactLanguages.map(baseLanguage));
/** In which names of languages are understood, beside each language's own. */
const NAMED_IN = ['en', 'es', 'fr', 'de', 'pt'] as const;

/**
 * The code of the language in what somebody typed or a file has, such as `de` of "de-DE.UTF-8", "deu" or "Deutsch"; the region stays
 * where one is named. Null when it says that there is none, undefined when it is something else. Forms, the API and files all read by it.
 */
export function readLanguage(text: string): string | null | undefined {
  const written = text.trim();
  if (written === '' || NONE.test(written)) return null;
  return readCode(written) ?? findByName(written);
}

const NONE = /^(?:[-–—.?]+|n\/?a|none|null|nil)$/i;

/** The language without its region. */
export function baseLanguage(code: string): string {
  return code.split('_')[0] ?? code;
}

/** Codes look like `pt_BR`; for what browsers and files call it. */
export function languageTag(code: string): string {
  return code.replaceAll('_', '-');
}

/** The first of "de-DE,de;q=0.9", and without the letters of "de_DE.UTF-8". */
const CODE = /^([a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?)(?:[.,;@].*)?$/i;

function readCode(written: string): string | undefined {
  const tag = CODE.exec(written)?.[1]?.replaceAll('_', '-');
  const locale = tag === undefined ? undefined : localeOf(tag);
  if (!locale) return undefined;
  const base = locale.language === 'no' ? 'nb' : locale.language;
  if (!BASES.has(base)) return undefined;
  const region = locale.region ?? (base === 'zh' ? REGION_OF_LETTERS[locale.script ?? ''] : undefined);
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? `${base}_${region}` : base;
}

const REGION_OF_LETTERS: Readonly<Record<string, string>> = { Hans: 'CN', Hant: 'TW' };

function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/** By the whole name, or without what stands in brackets. */
function findByName(written: string): string | undefined {
  const names = (knownNames ??= collectNames());
  return names.get(bare(written)) ?? names.get(bare(written.replace(/\([^()]*\)/g, '')));
}

/** Made when a name is first asked for: 90 languages in as many of them. */
let knownNames: ReadonlyMap<string, string> | undefined;

const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ castellano: 'es', castilian: 'es', kastilisch: 'es', castillan: 'es', castelhano: 'es' },
  ...{ brasileiro: 'pt_BR', brazilian: 'pt_BR', brasilianisch: 'pt_BR', mandarin: 'zh', mandarim: 'zh' },
  ...{ flemish: 'nl', flamisch: 'nl', flamand: 'nl', flamenco: 'nl', flamengo: 'nl', farsi: 'fa' },
  ...{ tagalog: 'fil', norsk: 'nb' },
};

function collectNames(): Map<string, string> {
  const names = new Map(Object.entries(OTHER_NAMES));
  const add = (name: string | undefined, code: string) => {
    if (name !== undefined && !names.has(bare(name))) names.set(bare(name), code);
  };
  const others = { no: 'nb', 'zh-Hans': 'zh_CN', 'zh-Hant': 'zh_TW' };
  const all = [
    ...contactLanguages.map((code) => [languageTag(code), code] as const),
    ...Object.entries(others),
  ].toSorted(([one], [other]) => one.length - other.length);
  for (const display of ['dialect', 'standard'] as const) {
    for (const language of NAMED_IN) {
      const said = namesIn(language, display);
      for (const [tag, code] of all) add(said.of(tag), code);
    }
    for (const [tag, code] of all) add(namesIn(tag, display).of(tag), code);
  }
  return names;
}

function namesIn(tag: string, languageDisplay: 'dialect' | 'standard'): Intl.DisplayNames {
  return new Intl.DisplayNames(tag, { type: 'language', fallback: 'none', languageDisplay });
}

/** Small letters alone, without accents. */
function bare(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
