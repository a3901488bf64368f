import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/** Compiles the ICU texts of `src/messages/<locale>/<feature>.json` while bundling, so that no parser ships. */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    enforce: 'pre',
    transform(source, id) {
      const file = id.split('?')[0] ?? id;
      if (!/\/src\/messages\/[^/]+\/[^/]+\.json$/.test(file)) return null;
      const folder = dirname(file);
      const english = join(dirname(folder), 'en', basename(file));
      const isEnglish = basename(folder) === 'en';
      if (!isEnglish) this.addWatchFile(english);
      const fallback = isEnglish ? '{}' : readFileSync(english, 'utf8');
      return { code: compileCatalogue(source, fallback, file), map: null };
    },
  };
}

/** One catalogue as JSON of compiled messages; keys that a translation lacks come from `fallback`. */
export function compileCatalogue(source: string, fallback = '{}', file = 'catalogue'): string {
  const texts: Record<string, string> = { ...JSON.parse(fallback), ...JSON.parse(source) };
  const compiled = Object.entries(texts).map(([key, text]) => {
    try {
      return [key, compileMessageOrThrow(text)];
    } catch (error) {
      throw new Error(`${file}: "${key}" is not a valid message (${String(error)})`);
    }
  });
  return JSON.stringify(Object.fromEntries(compiled));
}
