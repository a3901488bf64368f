import { findText } from '../messages.ts';

/** The words of a code; one of a newer server is shown as it is written: `set_field` as `Set field`. */
export function wordsOf(prefix: string, code: string): string {
  const plain = code.replaceAll(/[_.-]+/g, ' ').trim();
  return findText(`automation.${prefix}.${code}`) ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

export const triggerName = (type: string) => wordsOf('trigger', type);
export const stepName = (type: string) => wordsOf('step', type);
/** Why a start was refused, or a run ended. */
export const entryReason = (code: string) =>
  findText(`workflowRuns.reason.${code}`) ?? wordsOf('reason', code);
