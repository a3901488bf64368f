import type { MessageKey } from '../messages.ts';
import { t } from '../messages.ts';
import type { Operation } from './operations.ts';

/** What goes on, or went on. */
export function titleOf({ kind, name }: Operation): string {
  return t(`operations.title.${kind}`, { name: name || t('operations.pasted') });
}

/** How it stands, where the bar alone does not say. */
export function standOf(operation: Operation): string | null {
  if (operation.state === 'interrupted') return t('operations.interrupted');
  if (operation.state === 'cancelling') return t('operations.cancelling');
  if (operation.state === 'queued' && operation.phase !== 'receiving') return t('operations.queued');
  if (operation.wasInterrupted) return t('operations.goesOn');
  if (!['contact-import', 'data-import', 'data-replacement'].includes(operation.kind)) return null;
  return t(
    operation.phase === 'receiving'
      ? 'operations.receiving'
      : operation.phase === 'saving'
        ? 'operations.saving'
        : 'operations.reading',
  );
}

/** What came of it. */
export function outcomeOf(operation: Operation): string {
  const { kind, state, done } = operation;
  if (state === 'failed') return t('operations.failed', { reason: reasonOf(operation) });
  if (operation.fileGone) return t(`operations.fileGone.${operation.fileGone}`);
  // What was done of these until somebody stopped them stays.
  const staysDone = kind === 'contact-removal' || kind === 'contact-consents' || kind === 'contact-edit';
  if (state === 'cancelled' && !staysDone) return t('operations.cancelled');
  const { successful, failed, isDryRun, isWestern } = operation.result;
  if ((kind === 'data-import' || kind === 'data-replacement') && isDryRun) return t('operations.dataChecked');
  if (kind === 'contact-import' && successful !== undefined && failed !== undefined) {
    const figures = t(isDryRun ? 'operations.checked' : 'operations.imported', { successful, failed });
    return isWestern ? `${figures}. ${t('operations.readAsWestern')}` : figures;
  }
  const n = kind === 'contact-edit' ? (operation.result.changed ?? 0) : done;
  return t(`operations.outcome.${kind}`, { n, total: operation.total ?? done });
}

/** Why it failed, in words of the catalogue; a code of a newer server has those of none. */
export function reasonOf({ error }: Pick<Operation, 'error'>): string {
  return error ? problemText('file', error) : t('operations.unknownReason');
}

type Problem = { code: string; values: Record<string, string | number> };

/** Why a row, or a whole file, was not imported. */
export function problemText(of: 'row' | 'file', { code, values }: Problem): string {
  const key = `operations.importProblem.${of}.${code}`;
  const text = t(key as MessageKey, values); // one of them, or a code of a newer server
  return text === key ? t(`operations.importProblem.${of}.unknown`) : text;
}
