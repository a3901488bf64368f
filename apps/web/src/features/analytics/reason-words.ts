import { handoffReasons } from '@app/domain/chatbot/bot-state';
import type { ReportMetric } from '@app/domain/analytics/report-filter';
import { hasMessages, t } from '../../shared/messages.ts';
import { reasonWords } from '../sending/delivery-words.ts';

/** Why a message failed and what to do, as far as the catalogue `deliveries` is there; null where nobody said why. */
export function failureWords(code: string | null): string {
  if (code === null) return t('analytics.failures.unknown');
  const named = t('analytics.failures.code', { code });
  const words = reasonWords(code);
  return words === null ? named : `${words} (${named})`;
}

/** Why the bot handed a conversation over; the code until the catalogue `chatbot` is there. */
export function handoffWords(reason: string): string {
  const known = handoffReasons.find((one) => one === reason);
  return known && hasMessages('chatbot') ? t(`chatbot.reason.${known}`) : reason;
}

const KINDS = {
  added: 'analytics.audience.added',
  optIns: 'analytics.audience.optIns',
  optOuts: 'analytics.audience.optOuts',
} as const;

/** What happened to contacts, and where it came from. */
export function sourceWords(metric: ReportMetric, source: string): string {
  const what = t(metric === 'optIns' || metric === 'optOuts' ? KINDS[metric] : KINDS.added);
  return t('analytics.audience.of', { what, source });
}
