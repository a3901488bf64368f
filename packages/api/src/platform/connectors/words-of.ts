import { storableText } from '@app/domain/text/storable-text';

/** What a service says of a problem, as it can be stored. */
export function wordsOf(detail: string | null): string | null {
  return detail === null ? null : storableText(detail);
}
