import { LineChart } from '../../../ui/charts/charts.tsx';
import { activeLocale, t } from '../../../shared/messages.ts';
import { outcomeColors } from '../../../ui/charts/outcome-colors.ts';
import type { Overview } from '../dashboard-queries.ts';

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
      className={className}
      labelHeader={t('dashboard.day')}
      series={[
        { key: 'sent', label: t('dashboard.sent'), color: outcomeColors.sent },
        { key: 'delivered', label: t('dashboard.delivered'), color: outcomeColors.delivered },
        { key: 'read', label: t('dashboard.read'), color: outcomeColors.read },
      ]}
      // A day has no time of its own: read as UTC it keeps its name everywhere.
      points={week?.map(({ day, ...values }) => ({
        label: weekday.format(new Date(`${day}T00:00:00Z`)),
        values,
      }))}
    />
  );
}
