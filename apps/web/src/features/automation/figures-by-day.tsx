import { activeLocale, t } from '../../shared/messages.ts';
import type { api } from '../../shared/api.ts';
import { BarChart } from '../../ui/charts/charts.tsx';

type DayFigures = Awaited<ReturnType<typeof api.workflowRuns.countByDay>>;

/** Runs and API calls of each of the last days. */
export function FiguresByDay({ figures }: { figures: DayFigures | undefined }) {
  const date = new Intl.DateTimeFormat(activeLocale(), { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return (
    <BarChart
      title={t('automation.figures.byDay')}
      unit={t('automation.figures.byDayUnit', { zone: (figures?.zone ?? 'UTC').replaceAll('_', ' ') })}
      labelHeader={t('automation.figures.day')}
      series={[
        { key: 'runs', label: t('automation.figures.runs'), color: 1 },
        { key: 'calls', label: t('automation.figures.calls'), color: 2 },
      ]}
      // A day has no time of its own: read as UTC it keeps its name everywhere.
      points={figures?.days.map(({ day, runs, calls }) => ({
        label: date.format(new Date(`${day}T00:00:00Z`)),
        values: { runs, calls },
      }))}
    />
  );
}
