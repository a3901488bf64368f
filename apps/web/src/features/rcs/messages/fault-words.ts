import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { findText, t } from '../../../shared/messages.ts';

/** What is wrong at a place, for its field. That something is missing is said once, beside the button that saves. */
export function faultAt(faults: readonly ContentFault[], path: string): string | undefined {
  const fault = faults.find((one) => one.path === path && one.problem !== 'missing');
  return fault && problemText(fault);
}

/** The first thing that keeps a message from being complete, with its place. */
export function describeFault(fault: ContentFault): string {
  return t('rcs.faultAt', { place: placeText(fault.path), problem: problemText(fault) });
}

function problemText({ path, problem, limit }: ContentFault): string {
  const field = path.split('.').at(-1) ?? '';
  return (
    findText(`rcs.problem.${problem}.${field}`, { limit: limit ?? 0 }) ??
    findText(`rcs.problem.${problem}`, { limit: limit ?? 0 }) ??
    problem
  );
}

/** `cards.1.suggestions.0.text` in words. */
function placeText(path: string): string {
  const words: string[] = [];
  const [first, language, ...inside] = path.split('.');
  const isTranslated = first === 'translations' && language !== undefined;
  if (isTranslated) words.push(languageName(language));
  const parts = isTranslated ? inside : path.split('.');
  for (let at = 0; at < parts.length; at += 1) {
    const [part = '', next] = [parts[at], parts[at + 1]];
    const isNumbered = next !== undefined && /^\d+$/.test(next);
    const word = isNumbered
      ? findText(`rcs.place.${part}`, { n: Number(next) + 1 })
      : findText(`rcs.field.${part}`);
    if (word !== undefined) words.push(word);
    if (isNumbered) at += 1;
  }
  return words.join(', ');
}
