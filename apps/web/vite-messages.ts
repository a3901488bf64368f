import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

const FOLDER = join(import.meta.dirname, 'src/messages');

/**
 * Compiles the ICU texts of `src/messages/<language>/<feature>.json` while bundling, so that no parser ships. In a build for
 * browsers each catalogue is a file of its own below one address, so that no list of them has to be loaded.
 */
export function compileMessages({ emits = false } = {}): Plugin {
  let isBuild = false;
  return {
    name: 'compile-messages',
    enforce: 'pre',
    configResolved({ command, build: { ssr } }) {
      isBuild = command === 'build' && !ssr;
    },
    transform(source, id) {
      const file = id.split('?')[0] ?? id;
      if (isBuild && file.endsWith('/src/shared/languages/catalogue-files.ts'))
        return { code: readByAddress(), map: null };
      if (!/\/src\/messages\/[^/]+\/[^/]+\.json$/.test(file)) return null;
      return { code: compileCatalogue(source, file), map: null };
    },
    generateBundle() {
      if (!emits) return;
      for (const language of readdirSync(FOLDER))
        for (const name of readdirSync(join(FOLDER, language))) {
          const fileName = wordsFile(language, name.replace(/\.json$/, ''));
          const source = `export default ${compileCatalogue(readFileSync(join(FOLDER, language, name), 'utf8'), name)}`;
          this.emitFile({ type: 'asset', fileName, source });
        }
    },
  };
}

/** One catalogue as JSON of compiled messages. */
export function compileCatalogue(source: string, file = 'catalogue'): string {
  const texts: Record<string, string> = JSON.parse(source);
  const compiled = Object.entries(texts).map(([key, text]) => {
    try {
      return [key, compileMessageOrThrow(text)];
    } catch (error) {
      throw new Error(`${file}: "${key}" is not a valid message (${String(error)})`);
    }
  });
  return JSON.stringify(Object.fromEntries(compiled));
}

/** Where the build puts a catalogue, below `dist`. */
export function wordsFile(language: string, name: string): string {
  return `${wordsFolder()}/${language}/${name}.js`;
}

/** Stands for `src/shared/languages/catalogue-files.ts`. */
function readByAddress(): string {
  return `export const readCatalogue = async (language, name) =>
    (await import(/* @vite-ignore */ \`/${wordsFolder()}/\${language}/\${name}.js\`)).default;`;
}

let folder: string | undefined;

/** Its name changes with any word, so that browsers may keep what is in it. */
function wordsFolder(): string {
  if (folder) return folder;
  const hash = createHash('sha256');
  for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).toSorted())
    if (file.endsWith('.json')) hash.update(file).update(readFileSync(join(FOLDER, file)));
  folder = `assets/words-${hash.digest('base64url').slice(0, 8)}`;
  return folder;
}
