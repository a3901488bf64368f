import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import type { Plugin } from 'vite';
import { splitWords, type SourceTexts } from './src/shared/languages/split-words.ts';

const FOLDER = join(import.meta.dirname, 'src/messages');

/**
 * Splits the ICU texts of `src/messages/<feature>.json` by language and compiles them, so that one language is loaded at a time and no
 * parser ships. In a build for browsers each catalogue is a file of its own below one address, so that no list of them has to
 * be loaded; `emits` makes these files.
 */
export function compileMessages({ emits = false } = {}): Plugin {
  let isBuild = false;
  return {
    name: 'compile-messages',
    enforce: 'pre',
    configResolved({ command, build: { ssr } }) {
      isBuild = command === 'build' && !ssr;
    },
    transform(_, id) {
      const file = id.split('?')[0] ?? id;
      if (!isBuild || !file.endsWith('/src/shared/languages/catalogue-files.ts')) return null;
      return { code: readByAddress(), map: null };
    },
    generateBundle() {
      if (!emits) return;
      const files = readSources();
      for (const language of interfaceLanguages)
        for (const [name, texts] of Object.entries(splitWords(files, language))) {
          const source = `export default ${compileCatalogue(texts, language)}`;
          this.emitFile({ type: 'asset', fileName: wordsFile(language, name), source });
        }
    },
  };
}

/** One catalogue as JSON of compiled messages. */
export function compileCatalogue(texts: Record<string, string>, language: string): string {
  const compiled = Object.entries(texts).map(([key, text]) => {
    try {
      return [key, compileMessageOrThrow(text)];
    } catch (error) {
      throw new Error(`"${key}" (${language}) is not a valid message (${String(error)})`);
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

function readSources(): Record<string, SourceTexts> {
  const files = readdirSync(FOLDER, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.json'))
    .toSorted();
  return Object.fromEntries(
    files.map((file) => [file.replace(/\.json$/, ''), JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))]),
  );
}

let folder: string | undefined;

/** Its name changes with any word, so that browsers may keep what is in it. */
function wordsFolder(): string {
  const hash = () => createHash('sha256').update(JSON.stringify(readSources())).digest('base64url');
  return (folder ??= `assets/words-${hash().slice(0, 8)}`);
}
