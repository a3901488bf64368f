import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Download, Printer, RefreshCw } from 'lucide-react';
import { Suspense, useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDetail, lazyPart } from '../../ui/load-file.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { PageFrame, Panel } from '../../ui/page-frame.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Banner, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import {
  daysOf,
  narrowedOf,
  peopleOf,
  readAnalyticsSearch,
  reportOptions,
  sections,
  zoneOf,
  type AnalyticsSearch,
  type ShowPeople,
} from './analytics-queries.ts';
import { periodText } from './period-text.ts';
import './print.css';
import { FigureCards, NothingSent } from './figure-cards.tsx';
import { GoneFilters, useSegmentState } from './gone-filters.tsx';
import { OwnDays, PeriodField } from './period-fields.tsx';
import { ReportFilters } from './report-filters.tsx';
import { bestTimeTable, campaignTable, statusTable, templateTable, volumeTable } from './report-tables.ts';

const ReportCharts = lazyDetail(async () => (await import('./report-charts.tsx')).ReportCharts);
const ReportSection = lazyDetail(async () => (await import('./report-sections.tsx')).ReportSection);
const ResultsSection = lazyDetail(async () => (await import('./results-section.tsx')).ResultsSection);
const AutomationSection = lazyDetail(
  async () => (await import('./automation-section.tsx')).AutomationSection,
);
const PrintedReport = lazyDetail(async () => (await import('./printed-report.tsx')).PrintedReport);
/** Its words come with it. */
const PeopleDialog = lazyDialog(async () => {
  const [{ PeopleDialog: Dialog }] = await Promise.all([
    import('./people-dialog.tsx'),
    loadMessages('analytics-people'),
  ]);
  return Dialog;
});
const ReportViews = lazyPart(async () => (await import('./report-views.tsx')).ReportViews);

/** Figures and charts of a period, computed from the rollups. */
export function AnalyticsPage() {
  const [search, set] = useUrlState(readAnalyticsSearch);
  const queryClient = useQueryClient();
  const options = reportOptions(search);
  const segment = useSegmentState(search);
  const isAsked = segment === 'there' && options.summary.enabled;
  const summary = useQuery({ ...options.summary, enabled: isAsked });
  // What another section does not show it does not ask for.
  const isOverview = search.section === 'overview' && search.print === '';
  const enabled = isOverview && isAsked;
  const volume = useQuery({ ...options.volume, enabled });
  const statuses = useQuery({ ...options.statuses, enabled });
  const campaigns = useQuery({ ...options.campaigns, enabled });
  const templates = useQuery({ ...options.templates, enabled });
  const bestTime = useQuery({ ...options.bestTime, enabled });
  const isRefreshing = useIsFetching({ queryKey: orpc.analytics.key() }) > 0;
  const queries = [summary, volume, statuses, campaigns, templates, bestTime];
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: orpc.analytics.key() });
  const showPeople: ShowPeople = can('contacts:read')
    ? (metric, part) => set({ people: peopleOf(search, metric, part) ?? '' }, { push: true })
    : undefined;
  const days = daysOf(search);
  // Those of the period before stay while another one is being typed.
  const hasNoPeriod = days === null && summary.data === undefined;
  const tables = [
    volumeTable(volume.data),
    statusTable(statuses.data),
    campaignTable(campaigns.data),
    templateTable(templates.data),
    bestTimeTable(bestTime.data),
  ];

  if (search.print && segment === 'there')
    return (
      <Suspense fallback={<ChartsPlace />}>
        <PrintedReport search={search} onClose={() => set({ print: '' })} />
      </Suspense>
    );
  return (
    <PageFrame
      title={t('analytics.title')}
      purpose={t('analytics.purpose')}
      actions={
        <>
          <Button icon={<RefreshCw />} loading={isRefreshing && summary.data !== undefined} onClick={refresh}>
            {t('analytics.refresh')}
          </Button>
          <ExportMenu
            tables={isOverview ? tables : []}
            onPrint={() => set({ print: 'all' }, { push: true })}
          />
        </>
      }
      summary={
        failed || !isOverview || hasNoPeriod || segment === 'gone' ? null : (
          <FigureCards summary={summary.data} onShowPeople={showPeople} />
        )
      }
      toolbar={
        <div className="flex flex-col gap-3">
          <ReportFilters
            search={search}
            onChange={set}
            period={<PeriodField search={search} onChange={set} />}
          >
            <ViewsButton search={search} onChange={set} />
          </ReportFilters>
          <div data-no-print className="empty:hidden">
            <OwnDays search={search} onChange={set} />
          </div>
        </div>
      }
    >
      <Tabs
        label={t('analytics.sections')}
        value={search.section}
        onChange={(section) => set({ section }, { push: true })}
        tabs={sections.map((value) => ({ value, label: t(`analytics.section.${value}`) }))}
      >
        <div className="flex flex-col gap-4">
          {days ? <p className="print-only">{periodText({ ...days, zone: zoneOf(search) })}</p> : null}
          {summary.data?.isComplete === false ? <Banner>{t('analytics.counting')}</Banner> : null}
          <GoneFilters search={search} onChange={set} />
          {segment === 'there' && (isOverview || search.section === 'results') ? (
            <NothingSent summary={summary.data} search={narrowedOf(search)} onChange={set} />
          ) : null}
          {segment === 'gone' ? null : segment === 'unknown' ? (
            <ChartsPlace />
          ) : hasNoPeriod ? (
            <p className="grid h-44 place-items-center text-center text-muted">{t('analytics.noPeriod')}</p>
          ) : !isOverview ? (
            <Suspense fallback={<ChartsPlace />}>
              {search.section === 'results' ? (
                <ResultsSection search={search} onShowPeople={showPeople} />
              ) : search.section === 'automation' ? (
                <AutomationSection search={search} onShowPeople={showPeople} />
              ) : (
                <ReportSection search={search} onShowPeople={showPeople} />
              )}
            </Suspense>
          ) : failed ? (
            <Panel title={t('analytics.figures')} flush>
              <ErrorState className="py-8" text={errorMessage(failed.error)} onRetry={refresh} />
            </Panel>
          ) : (
            <Suspense fallback={<ChartsPlace />}>
              <ReportCharts
                onShowPeople={showPeople}
                search={search}
                onChange={set}
                reports={{
                  volume: volume.data,
                  statuses: statuses.data,
                  campaigns: campaigns.data,
                  templates: templates.data,
                  bestTime: bestTime.data,
                }}
              />
            </Suspense>
          )}
        </div>
      </Tabs>
      {search.people && can('contacts:read') ? (
        <Suspense>
          <PeopleDialog
            people={search.people}
            tag={narrowedOf(search).tag}
            segment={narrowedOf(search).segment}
            onClose={() => set({ people: '' })}
          />
        </Suspense>
      ) : null}
    </PageFrame>
  );
}

function ChartsPlace() {
  return (
    <SkeletonRegion>
      <Skeleton className="h-96 w-full" />
    </SkeletonRegion>
  );
}

/** The menu of views is loaded when it is opened, and stays. */
function ViewsButton(props: {
  search: AnalyticsSearch;
  onChange: (patch: Partial<AnalyticsSearch>, options?: { push?: boolean }) => void;
}) {
  const [open, setOpen] = useState<boolean>();
  const button = (
    <Button
      icon={<Bookmark aria-hidden />}
      aria-haspopup="menu"
      aria-expanded={open === true}
      onClick={() => setOpen(true)}
    >
      {t('analytics.views')}
    </Button>
  );
  if (open === undefined) return button;
  return (
    <Suspense fallback={button}>
      <ReportViews {...props} open={open} onOpenChange={setOpen} />
    </Suspense>
  );
}

/** All sections on paper, and every table of the overview as a file; pictures are in the menu of each chart. */
function ExportMenu({
  tables,
  onPrint,
}: {
  tables: readonly ReturnType<typeof volumeTable>[];
  onPrint: () => void;
}) {
  return (
    <Menu
      trigger={<Button icon={<Download />}>{t('analytics.export')}</Button>}
      entries={[
        { label: t('analytics.print'), icon: <Printer aria-hidden />, onSelect: onPrint },
        ...(tables.length > 0 ? (['separator'] as const) : []),
        ...tables.map((table) => ({
          label: t('analytics.exportTable', { table: table.title }),
          disabled: table.points === undefined,
          onSelect: () => void import('../../ui/charts/chart-files.ts').then(({ saveCsv }) => saveCsv(table)),
        })),
      ]}
    />
  );
}
