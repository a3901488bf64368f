import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { Message, Messages } from '@app/domain/text/say-message';
import { splitWords, type SourceTexts } from './split-words.ts';

// The build puts one import by address in place of this file: a list of all catalogues would weigh in every first view, and
// texts are split by language and compiled then (`vite-messages.ts`).
const files = import.meta.glob<SourceTexts>('../../messages/**/*.json', { import: 'default' });

/** The compiled texts of one catalogue in one language. */
export async function readCatalogue(language: InterfaceLanguage, name: string): Promise<Messages> {
  const read = Object.entries(files).map(
    async ([path, file]) => [path.replace(/^.*\/messages\/|\.json$/g, ''), await file()] as const,
  );
  const texts = splitWords(Object.fromEntries(await Promise.all(read)), language)[name];
  if (!texts) throw new Error(`There is no message catalogue "${language}/${name}"`);
  return Object.fromEntries(
    // The compiler's own type says no more than that it is a list.
    Object.entries(texts).map(([key, text]) => [key, compileMessageOrThrow(text) as Message]),
  );
}
