import { t } from '../../../shared/messages.ts';

/** What a variant is called, by its place from 0. */
export function variantLetter(variant: number): string {
  return 'ABCD'[variant] ?? '';
}

export function hoursText(hours: number): string {
  return hours % 24 === 0 && hours > 24
    ? t('abTests.days', { n: hours / 24 })
    : t('abTests.hours', { n: hours });
}
