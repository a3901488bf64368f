const LONGEST_NAME = 200;

/**
 * The template's name on the platform (`^[a-z0-9_]+$`) from the one that people gave. `id` stands in for names without
 * any Latin letter or digit.
 */
export function derivePlatformName(template: { id: string; name: string }): string {
  const plain = template.name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST_NAME);
  return plain === '' ? `template_${template.id.replace(/[^a-z0-9]/g, '').slice(-12)}` : plain;
}

/** The platform has no plain Portuguese. */
export function platformLanguage(language: string): string {
  return language === 'pt' ? 'pt_BR' : language;
}

const LOCALE = /^[a-z]{2,3}(?:_[A-Z]{2})?$/;

/** A locale of the platform as templates here have it: each stands for itself but that Portuguese. Undefined for what is none. */
export function readTemplateLanguage(locale: string): string | undefined {
  const language = locale.replaceAll('-', '_');
  return language === 'pt_BR' ? 'pt' : LOCALE.test(language) ? language : undefined;
}
