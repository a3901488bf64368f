import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { Suspense, useEffect, useMemo } from 'react';
import { orpc } from '../../shared/api.ts';
import { formatDuration, formatNumber, formatShare } from '../../shared/formats.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t, useLocale, type Locale } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { readText, useUrlState } from '../../shared/url-state.ts';
import { ChartPlace } from '../../ui/charts/chart-place.tsx';
import { lazyDetail } from '../../ui/load-file.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import type { Column } from '../../ui/table/table-column.ts';
import { secondsSaved, sumStats } from './workflow-figures.ts';
import { workflowErrorMessage, workflowKeys, type Workflow } from './workflows-queries.ts';

/** What a step costs a person, until somebody says otherwise. */
const MINUTES_PER_STEP = 2;
const MOST_MINUTES = 600;

/** The estimate is in the address, so that a reload or a sent link shows the same figure. */
function readEstimate(search: Record<string, unknown>) {
  return { minutes: readText(search, 'minutes') };
}

const FiguresByDay = lazyDetail(async () => (await import('./figures-by-day.tsx')).FiguresByDay);

function columnsOf(_locale: Locale, minutes: number, calls: ReadonlyMap<string, number>): Column<Workflow>[] {
  const finished = ({ stats }: Workflow) => stats.completed + stats.failed;
  return [
    {
      id: 'name',
      header: t('automation.workflow'),
      cell: ({ id, name }) => (
        <Link to={paths.workflow(id)} search={{ tab: 'runs' }} className="rounded hover:underline">
          {name}
        </Link>
      ),
      card: 'title',
    },
    {
      id: 'runs',
      header: t('automation.figures.runs'),
      align: 'end',
      cell: ({ stats }) => formatNumber(stats.triggered),
    },
    {
      id: 'failed',
      header: t('automation.stats.failed'),
      align: 'end',
      cell: ({ stats }) => formatNumber(stats.failed),
    },
    {
      id: 'rate',
      header: t('automation.figures.successRate'),
      align: 'end',
      cell: (workflow) => formatShare(workflow.stats.completed, finished(workflow)),
    },
    {
      id: 'calls',
      header: t('automation.figures.calls'),
      align: 'end',
      cell: ({ id }) => formatNumber(calls.get(id) ?? 0),
    },
    {
      id: 'saved',
      header: t('automation.figures.timeSaved'),
      align: 'end',
      cell: (workflow) => formatDuration(secondsSaved([workflow], minutes)),
    },
  ];
}

/** The figures of all workflows since each was created: runs, success rate, and the time that they saved by an estimate. */
export function AnalyticsTab() {
  useLiveQuery(['workflows'], workflowKeys());
  const locale = useLocale();
  const [{ minutes: typed }, setUrl] = useUrlState(readEstimate);
  const asked = Number(typed);
  const minutes = typed === '' || !(asked >= 0) ? MINUTES_PER_STEP : Math.min(asked, MOST_MINUTES);
  const query = useInfiniteQuery(
    orpc.workflows.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: 100, ...(cursor === undefined ? {} : { cursor }) }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  // The sums are of all workflows, of which there are 500 at most.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const byDay = useQuery(orpc.workflowRuns.countByDay.queryOptions({ input: {} }));
  const figures = byDay.data;
  const columns = useMemo(
    () =>
      columnsOf(
        locale,
        minutes,
        new Map(figures?.workflows.map(({ workflowId, calls }) => [workflowId, calls])),
      ),
    [locale, minutes, figures],
  );
  const sumOf = (name: 'calls' | 'failedCalls') => figures?.days.reduce((total, day) => total + day[name], 0);
  const isWhole = query.isSuccess && !hasNextPage;
  const { triggered, completed, failed } = sumStats(rows);
  return (
    <div className="flex flex-col gap-4">
      <SummaryCards label={t('automation.tab.analytics')}>
        <SummaryCard
          label={t('automation.figures.runs')}
          value={isWhole ? triggered : undefined}
          note={t('automation.figures.sinceCreated')}
        />
        <SummaryCard
          label={t('automation.figures.successRate')}
          value={isWhole ? formatShare(completed, completed + failed) : undefined}
          note={t('automation.figures.successRateText')}
        />
        <SummaryCard
          label={t('automation.figures.timeSaved')}
          value={isWhole ? formatDuration(secondsSaved(rows, minutes)) : undefined}
          note={t('automation.figures.timeSavedText', { n: minutes })}
        />
        <SummaryCard
          label={t('automation.figures.calls')}
          value={byDay.isError ? '—' : sumOf('calls')}
          note={t('automation.figures.callsText', { failed: sumOf('failedCalls') ?? 0 })}
        />
      </SummaryCards>
      <Field
        className="max-w-xs"
        label={t('automation.figures.estimate')}
        hint={t('automation.figures.estimateHint')}
      >
        <Input
          type="number"
          min={0}
          max={MOST_MINUTES}
          value={typed === '' ? String(MINUTES_PER_STEP) : typed}
          onChange={(event) => setUrl({ minutes: event.target.value })}
        />
      </Field>
      {byDay.isError ? (
        <ErrorState text={workflowErrorMessage(byDay.error)} onRetry={() => void byDay.refetch()} />
      ) : (
        <Suspense
          fallback={
            <ChartPlace
              title={t('automation.figures.byDay')}
              unit={t('automation.figures.byDayUnit', { zone: '…' })}
              hasLegend
            />
          }
        >
          <FiguresByDay figures={figures} />
        </Suspense>
      )}
      <DataTable
        label={t('automation.figures.byWorkflow')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        status={query.status === 'pending' ? 'loading' : query.status === 'error' ? 'error' : 'ready'}
        errorText={isError ? workflowErrorMessage(query.error) : undefined}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState icon={<ChartColumn />} title={t('automation.none')} text={t('automation.noneYet')} />
        }
      />
    </div>
  );
}
