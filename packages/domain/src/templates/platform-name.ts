import type { TemplateLanguage } from './template.ts';

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
export function platformLanguage(language: TemplateLanguage): string {
  return language === 'pt' ? 'pt_BR' : language;
}
