import { holdoutOf } from '@app/domain/campaigns/ab-test/holdout';
import {
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
  formatTime,
} from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { isInSeveral, languagesText, leftOutLanguages } from './languages-words.ts';
import { valueProblemText } from './value-problems.ts';
import type { ConfirmFact } from '../../ui/overlays/confirm-request.ts';
import type { api } from '../../shared/api.ts';

/** The server's answer to "what would happen if this were sent now". */
export type Preflight = Awaited<ReturnType<typeof api.campaigns.preflight>>;

/** Without whom an A/B test holds out, in percent: they get nothing. The others cost what all cost on average. */
export function withoutHoldout(preflight: Preflight, percent: number): Preflight & { heldOut: number } {
  const heldOut = holdoutOf(preflight.receiving, percent);
  if (heldOut === 0) return { ...preflight, heldOut };
  const receiving = preflight.receiving - heldOut;
  const estimatedCost = (preflight.estimatedCost * receiving) / preflight.receiving;
  return { ...preflight, receiving, estimatedCost, heldOut };
}

type Asked = Pick<
  Preflight,
  | 'receiving'
  | 'languages'
  | 'estimatedCost'
  | 'priceCurrency'
  | 'budgetLeft'
  | 'estimatedSeconds'
  | 'finishesAt'
>;

type Finish = Pick<Asked, 'estimatedSeconds' | 'finishesAt'>;

/** What people decide by before anything leaves: how many, what it costs and when it is done. */
export function factsBeforeSending(preflight: Asked): ConfirmFact[] {
  const { receiving, estimatedCost, priceCurrency } = preflight;
  return [
    { label: t('sending.start.people'), value: formatNumber(receiving) },
    ...(preflight.languages && isInSeveral(preflight.languages) && receiving > 0
      ? [{ label: t('sending.languages.title'), value: languagesText(preflight.languages) }]
      : []),
    { label: t('sending.preflight.cost'), value: formatMoney(estimatedCost, priceCurrency) },
    ...(receiving === 0 ? [] : [{ label: t('sending.start.finish'), value: finishText(preflight) }]),
  ];
}

/** How long it takes and, unless that is a moment, until when. */
export function durationOf({ estimatedSeconds, finishesAt }: Finish): { text: string; until: string | null } {
  if (estimatedSeconds === null || finishesAt === null)
    return { text: t('sending.start.finishUnknown'), until: null };
  if (estimatedSeconds < 2) return { text: t('sending.preflight.instant'), until: null };
  // A time of day says enough while it comes once.
  const isFar = Date.parse(finishesAt) - Date.now() > 12 * 3_600_000;
  const until = isFar ? formatDateTime(finishesAt) : formatTime(finishesAt);
  return { text: formatDuration(estimatedSeconds), until };
}

/** “about 3 min, until 2:05 PM”. */
function finishText(finish: Finish): string {
  const { text, until } = durationOf(finish);
  return until === null ? text : t('sending.start.finishAt', { duration: text, time: until });
}

/** What does not fit would pause on the way: people decide with that, too. */
export function budgetText({
  estimatedCost,
  priceCurrency,
  budgetLeft,
}: Pick<Asked, 'estimatedCost' | 'priceCurrency' | 'budgetLeft'>): string | null {
  if (budgetLeft === null || estimatedCost <= budgetLeft) return null;
  return t('sending.preflight.overBudget', { left: formatMoney(budgetLeft, priceCurrency) });
}

const leftOutReasons = [
  'blocked',
  'optedOut',
  'withoutNumber',
  'windowClosed',
  'held',
  'promotionsCapped',
  'doubled',
] as const;

/** Every open warning of a check, each a line: who is left out and why, languages that nobody gets, and values that are missing or too long. */
export function warningsBeforeSending(preflight: Preflight & { heldOut?: number }): string[] {
  const { chosen, languages, valueProblems, obstacle, heldOut = 0 } = preflight;
  return [
    // It waits for the number, and is started all the same.
    ...(obstacle === 'channel_stopped' ? [t('sending.obstacle.channelStopped')] : []),
    ...(chosen > 0
      ? leftOutReasons
          .filter((reason) => preflight[reason] > 0)
          .map((reason) => t(`sending.preflight.${reason}`, { n: preflight[reason] }))
      : []),
    ...(heldOut > 0 ? [t('sending.preflight.heldOut', { n: heldOut })] : []),
    ...(languages ? leftOutLanguages(languages).map(({ text }) => text) : []),
    ...valueProblems.map(valueProblemText),
  ];
}

/** Texts that follow one another, without those that there is no reason for. */
export function inOne(...texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null).join(' ');
}
