import { t } from '../../shared/messages.ts';

/** A time that data is kept, in whole years where it is. */
export function timeOf(days: number | null): string {
  if (days === null) return t('dataManagement.retention.ever');
  return days % 365 === 0
    ? t('dataManagement.retention.years', { n: days / 365 })
    : t('dataManagement.retention.days', { n: days });
}
