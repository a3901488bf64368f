import { formatDay } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

/** The days of a period and the time zone that they are in, in words. */
export function periodText({ from, to, zone }: { from: string; to: string; zone: string }): string {
  return t('analytics.people.period', {
    from: formatDay(from),
    to: formatDay(to),
    zone: zone.replaceAll('_', ' '),
  });
}
