import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { activeTimeZone, dateFormat, formatRate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { BarChart } from '../../ui/charts/charts.tsx';

/** When the contact reads: their own reads and replies, and those of everybody as long as these are few. */
export function BestTimePanel({ contactId }: { contactId: string }) {
  const zone = activeTimeZone();
  const { data, error } = useQuery(
    orpc.analytics.getContactBestTime.queryOptions({ input: { contactId, zone } }),
  );
  // The page says everything else without it.
  if (error && !data) return null;
  return (
    <BarChart
      title={t('contacts.bestTime.title')}
      unit={t('contacts.bestTime.unit', { zone: zone.replaceAll('_', ' ') })}
      labelHeader={t('contacts.bestTime.hour')}
      series={[{ key: 'share', label: t('contacts.bestTime.share'), color: 1 }]}
      points={
        data?.best === null
          ? []
          : data?.shares.map((share, hour) => ({ label: formatHour(hour), values: { share: share * 100 } }))
      }
      format={(value) => formatRate(value, 100)}
      note={data === undefined ? '' : noteOf(data)}
      isLow
    />
  );
}

function noteOf({ best, events, weight }: { best: number | null; events: number; weight: number }): string {
  if (best === null) return t('contacts.bestTime.none');
  const hour = { from: formatHour(best), to: formatHour(best + 1) };
  if (events === 0) return t('contacts.bestTime.everybody', hour);
  return t(weight < 0.5 ? 'contacts.bestTime.few' : 'contacts.bestTime.own', { ...hour, n: events });
}

function formatHour(hour: number): string {
  return dateFormat({ hour: 'numeric' }, 'UTC')
    .format(new Date(Date.UTC(2026, 0, 1, hour)))
    .replaceAll(/[\u00a0\u202f]/g, ' ');
}
