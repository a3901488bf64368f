import { findText, t } from '../../shared/messages.ts';
import { codeText, refusalText } from '../../shared/languages/refusal-text.ts';

type Outcome = { outcome: string; errorCode: string | null; explanation: string | null };
type Pause = { pauseReason: string | null; pauseCode: string | null; pauseName: string | null };

/** What happened to one recipient and what to do next; null while nothing went wrong. The catalogue `deliveries` must be there. */
export function outcomeText({ outcome, errorCode, explanation }: Outcome): string | null {
  if (explanation === null) return null;
  if (outcome === 'unknown') return t('deliveries.unknown');
  return findText(`deliveries.left.${errorCode ?? ''}`) ?? refusalText(errorCode ?? '', explanation);
}

/** What a reason means that people were chosen by; null where the catalogue has no words for it, or is not there yet. */
export function reasonWords(code: string): string | null {
  return findText(`deliveries.left.${code}`) ?? codeText(code) ?? null;
}

/** Why a campaign paused by itself; null when somebody paused it or it is not paused. */
export function pauseText({ pauseReason, pauseCode, pauseName }: Pause): string | null {
  if (pauseReason === null || pauseCode === null) return null;
  if (pauseCode === 'campaign_segment_deleted')
    return pauseName
      ? t('deliveries.pause.segment_deleted', { name: pauseName })
      : t('deliveries.pause.some_segment_deleted');
  if (pauseCode === 'chosen_number_off') return t('deliveries.pause.number_off', { name: pauseName ?? '' });
  const obstacle = pauseCode === 'template_not_approved' ? findObstacleText(pauseName ?? '') : undefined;
  if (obstacle !== undefined) return obstacle;
  return findText(`deliveries.pause.${pauseCode}`) ?? refusalText(pauseCode, pauseReason);
}

/** What keeps a template from being sent, and what to do; nothing where the catalogue `sending` has no words for it, or is not there yet. */
export function findObstacleText(obstacle: string): string | undefined {
  return findText(
    obstacle === 'elsewhere' ? 'sending.obstacle.templateElsewhere' : `sending.obstacle.template.${obstacle}`,
  );
}
