import { loadFile } from '../ui/load-file.ts';
import { readFailure } from './api-client.ts';
import type { findFailureWords } from './failure-words.ts';
import { t } from './messages.ts';

/** The page shows before the words for all that can go wrong with it are there. */
let findWords: typeof findFailureWords = () => null;
void loadFile(async () => (findWords = (await import('./failure-words.ts')).findFailureWords));

/** A sentence for a failure that has no words of its own in the feature. */
export function failureText(error: unknown): string {
  return t(findWords(readFailure(error).code) ?? 'common.error.internal');
}
