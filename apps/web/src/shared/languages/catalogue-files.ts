import type { Messages } from '@lingui/core';

// The build puts one import by address in place of this list, which would weigh in every first view (`vite-messages.ts`).
const files = import.meta.glob<Messages>('../../messages/*/*.json', { import: 'default' });

/** The compiled texts of one catalogue in one language. */
export async function readCatalogue(language: string, name: string): Promise<Messages> {
  const file = files[`../../messages/${language}/${name}.json`];
  if (!file) throw new Error(`There is no message catalogue "${language}/${name}"`);
  return file();
}
