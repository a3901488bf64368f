import type { MessageKey } from '../messages.ts';
import { t } from '../messages.ts';
import type { LongAct } from './long-acts.ts';

/** What goes on, or went on. */
export function titleOf({ kind, name }: LongAct): string {
  return t(`longActs.title.${kind}`, { name: name || t('longActs.pasted') });
}

/** How it stands, where the bar alone does not say. */
export function standOf(act: LongAct): string | null {
  if (act.state === 'interrupted') return t('longActs.interrupted');
  if (act.state === 'cancelling') return t('longActs.cancelling');
  if (act.state === 'queued' && act.phase !== 'receiving') return t('longActs.queued');
  if (act.wasInterrupted) return t('longActs.goesOn');
  if (!['contact-import', 'data-import', 'data-replacement'].includes(act.kind)) return null;
  return t(
    act.phase === 'receiving'
      ? 'longActs.receiving'
      : act.phase === 'saving'
        ? 'longActs.saving'
        : 'longActs.reading',
  );
}

/** What came of it. */
export function outcomeOf(act: LongAct): string {
  const { kind, state, done } = act;
  if (state === 'failed') return t('longActs.failed', { reason: reasonOf(act) });
  if (act.fileGone) return t(`longActs.fileGone.${act.fileGone}`);
  // What was done of these until somebody stopped them stays.
  const staysDone = kind === 'contact-removal' || kind === 'contact-consents' || kind === 'contact-edit';
  if (state === 'cancelled' && !staysDone) return t('longActs.cancelled');
  const { successful, failed, isDryRun, isWestern } = act.result;
  if ((kind === 'data-import' || kind === 'data-replacement') && isDryRun) return t('longActs.dataChecked');
  if (kind === 'contact-import' && successful !== undefined && failed !== undefined) {
    const figures = t(isDryRun ? 'longActs.checked' : 'longActs.imported', { successful, failed });
    return isWestern ? `${figures}. ${t('longActs.readAsWestern')}` : figures;
  }
  const n = kind === 'contact-edit' ? (act.result.changed ?? 0) : done;
  return t(`longActs.outcome.${kind}`, { n, total: act.total ?? done });
}

/** Why it failed, in words of the catalogue; a code of a newer server has those of none. */
export function reasonOf({ error }: Pick<LongAct, 'error'>): string {
  return error ? problemText('file', error) : t('longActs.unknownReason');
}

type Problem = { code: string; values: Record<string, string | number> };

/** Why a row, or a whole file, was not imported. */
export function problemText(of: 'row' | 'file', { code, values }: Problem): string {
  const key = `longActs.importProblem.${of}.${code}`;
  const text = t(key as MessageKey, values); // one of them, or a code of a newer server
  return text === key ? t(`longActs.importProblem.${of}.unknown`) : text;
}
