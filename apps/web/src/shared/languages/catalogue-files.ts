import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Message, Messages } from '@app/domain/text/say-message';

// The build puts one import by address in place of this file: a list of all catalogues would weigh in every first view, and
// texts are compiled then (`vite-messages.ts`).
const files = import.meta.glob<Record<string, string | Message>>('../../messages/*/*.json', {
  import: 'default',
});

/** The compiled texts of one catalogue in one language. */
export async function readCatalogue(language: string, name: string): Promise<Messages> {
  const file = files[`../../messages/${language}/${name}.json`];
  if (!file) throw new Error(`There is no message catalogue "${language}/${name}"`);
  const texts = Object.entries(await file());
  // The compiler's own type says no more than that it is a list.
  return Object.fromEntries(
    texts.map(([key, text]) => [
      key,
      typeof text === 'string' ? (compileMessageOrThrow(text) as Message) : text,
    ]),
  );
}
