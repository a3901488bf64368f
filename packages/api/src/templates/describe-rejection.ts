import { codeOfRejection } from '@app/domain/messaging/delivery-error-messages';

/** What the platform refused: the code by which the web has words, and a sentence for who calls by hand. */
export function describeRefusal(answer: { reason: string; code?: string; subcode?: string }) {
  const { reason } = answer;
  return { message: reason, data: { values: { reason, word: codeOfRejection(answer) } } };
}
