import { t } from '../../../shared/messages.ts';

/** A span in the largest unit that divides it: "2 days", "90 minutes". */
export function limitText(seconds: number): string {
  if (seconds % 86_400 === 0) return t('campaigns.fallback.days', { n: seconds / 86_400 });
  if (seconds % 3_600 === 0) return t('campaigns.fallback.hours', { n: seconds / 3_600 });
  if (seconds % 60 === 0) return t('campaigns.fallback.minutes', { n: seconds / 60 });
  return t('campaigns.fallback.seconds', { n: seconds });
}
