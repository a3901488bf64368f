import { t } from '../../shared/messages.ts';
import { LineChart } from '../../ui/charts/charts.tsx';
import { activeLocale } from '../../shared/messages.ts';
import type { Overview } from './dashboard-queries.ts';

/** Sent, delivered and read messages of the last seven days. */
export function MessageAnalyticsChart({
  week,
  className,
}: {
  week: Overview['week'] | undefined;
  className?: string;
}) {
  const weekday = new Intl.DateTimeFormat(activeLocale(), {
    weekday: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return (
    <LineChart
      title={t('dashboard.analytics')}
      unit={t('dashboard.analyticsUnit')}
      labelHeader={t('dashboard.day')}
      className={className}
      series={[
        { key: 'sent', label: t('dashboard.sent'), color: 1 },
        { key: 'delivered', label: t('dashboard.delivered'), color: 2 },
        { key: 'read', label: t('dashboard.read'), color: 3 },
      ]}
      // A day has no time of its own: read as UTC it keeps its name everywhere.
      points={week?.map(({ day, ...values }) => ({
        label: weekday.format(new Date(`${day}T00:00:00Z`)),
        values,
      }))}
    />
  );
}
