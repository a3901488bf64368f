import type { InterfaceLanguage } from '@app/domain/text/interface-language';

/** A file of `src/messages`: each text in all languages, side by side. */
export type SourceTexts = Record<string, Record<InterfaceLanguage, string>>;

/** What a page shows of all features is loaded as one, wherever it is written. */
const gathered: Record<string, string> = {
  'activity.fact.': 'activity-facts',
  'common.nav': 'common',
  'dataManagement.setting.': 'data-management',
  'deliveries.code.': 'deliveries',
  'palette.': 'palette',
};

/** The catalogue that a text is loaded with: that of its file, unless it is shown beside those of other features. */
export function catalogueOf(file: string, key: string): string {
  const prefix = Object.keys(gathered).find((one) => key.startsWith(one));
  if (prefix !== undefined) return gathered[prefix]!; // one of its keys
  // The words of a connector stand together, and are shown by the pages that their keys name: `contactPanel.order` by `contact-panel`.
  if (!file.startsWith('connectors/')) return file;
  return key.split('.', 1)[0]!.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`); // never empty
}

/** The catalogues of one language by their names, out of the files of all. */
export function splitWords(
  files: Record<string, SourceTexts>,
  language: InterfaceLanguage,
): Record<string, Record<string, string>> {
  const catalogues: Record<string, Record<string, string>> = {};
  for (const [file, texts] of Object.entries(files)) {
    if (!file.startsWith('connectors/')) catalogues[file] ??= {};
    for (const [key, spoken] of Object.entries(texts))
      (catalogues[catalogueOf(file, key)] ??= {})[key] = spoken[language];
  }
  return catalogues;
}
