import { loadFile } from '../ui/load-file.ts';
import { readFailure, type ApiFailure, type FailureCode } from './api-client.ts';
import type { findErrorMessage } from './error-messages.ts';
import { loadMessages, t, type MessageKey } from './messages.ts';

/** The page shows before the words for all that can go wrong with it are there. */
let findWords: typeof findErrorMessage = () => null;
// Once the page has said in which language it is.
setTimeout(() => void loadFile(loadWords));

async function loadWords(): Promise<void> {
  const [{ findErrorMessage }] = await Promise.all([import('./error-messages.ts'), loadMessages('failure')]);
  findWords = findErrorMessage;
}

/** A sentence for a failure that has no words of its own in the feature. */
export function errorMessage(error: unknown): string {
  return textOfCode(readFailure(error).code);
}

/** The same for a refusal that was kept. */
export function textOfCode(code: FailureCode): string {
  return t(findWords(code) ?? 'common.error.internal');
}

/** A feature's own sentences by code; one that needs other values than the refusal has is made of them. */
type ErrorMessages = Partial<Record<FailureCode, MessageKey | ((values: ApiFailure['values']) => string)>>;

/** What a failure says to people in a feature: its own sentence, else the one that everybody has. */
export function errorMessageOf(sentences: ErrorMessages): (error: unknown) => string {
  return (error) => {
    const { code, values } = readFailure(error);
    const sentence = sentences[code];
    if (sentence === undefined) return errorMessage(error);
    return typeof sentence === 'function' ? sentence(values) : t(sentence, values);
  };
}
