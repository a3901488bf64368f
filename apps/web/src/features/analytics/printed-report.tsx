import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Printer, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { orpc } from '../../shared/api.ts';
import { useBusiness } from '../../shared/business-profile/use-business.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Banner, ErrorState } from '../../ui/states.tsx';
import { daysOf, reportOptions, sections, zoneOf, type AnalyticsSearch } from './analytics-queries.ts';
import { periodText } from './period-text.ts';
import { AutomationSection } from './automation-section.tsx';
import { FigureCards } from './figure-cards.tsx';
import { ReportCharts } from './report-charts.tsx';
import { activeFilters, filterText, useFilterOptions } from './report-filters.tsx';
import { ReportSection } from './report-sections.tsx';
import { ResultsSection } from './results-section.tsx';

type Section = (typeof sections)[number];

/**
 * All sections one below the other, as wide as paper. It opens the print dialog of the browser once every figure is there, and is left when the
 * dialog closes. A browser that prints nothing by itself has a button for it.
 */
export function PrintedReport({ search, onClose }: { search: AnalyticsSearch; onClose: () => void }) {
  const [isReady, setReady] = useState(false);
  const [asOf] = useState(() => new Date().toISOString());
  const queryClient = useQueryClient();
  const days = daysOf(search);
  const name = useBusiness()?.name;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    let isGone = false;
    const print = async () => {
      // Without a connection they come later, and codes stand in their place.
      await Promise.all(
        (['deliveries', 'chatbot', 'templates'] as const).map((words) => loadMessages(words)),
      ).catch(() => undefined);
      do await nextFrame();
      while (!isGone && queryClient.isFetching({ queryKey: orpc.analytics.key() }) > 0);
      await document.fonts.ready;
      // Charts measure their place when their figures are there.
      await nextFrame();
      await nextFrame();
      if (isGone) return;
      setReady(true);
      await nextFrame();
      addEventListener('afterprint', () => close(), { once: true });
      window.print();
    };
    void print();
    return () => {
      isGone = true;
    };
  }, [queryClient]);

  return (
    <div className="px-4 py-5 sm:px-6 print:p-0">
      <div data-no-print className="mb-4 flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          icon={<Printer aria-hidden />}
          loading={!isReady}
          onClick={() => window.print()}
        >
          {t('analytics.print')}
        </Button>
        <Button icon={<X aria-hidden />} onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
      <div className="overflow-x-auto print:overflow-visible">
        <div data-ready={isReady} data-column className="flex w-[703px] flex-col gap-4 print:w-auto">
          <header>
            {name ? <p className="text-muted">{name}</p> : null}
            <h1 className="text-xl font-semibold">{t('analytics.title')}</h1>
            {days ? <p>{periodText({ ...days, zone: zoneOf(search) })}</p> : null}
            <p className="text-sm text-muted">{t('analytics.printedAt', { date: formatDateTime(asOf) })}</p>
          </header>
          {days ? (
            sections.map((section) => (
              <Part key={section} section={section} search={{ ...search, section }} />
            ))
          ) : (
            <Banner tone="danger">{t('analytics.wrongPeriod')}</Banner>
          )}
        </div>
      </div>
    </div>
  );
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** One section with its name and what its figures are narrowed to. */
function Part({ section, search }: { section: Section; search: AnalyticsSearch }) {
  const options = useFilterOptions(search, false);
  const filters = activeFilters(search).filter((name) => name !== 'zone');
  return (
    <article className="flex flex-col gap-4">
      <div className="break-after-avoid border-b border-border pb-1">
        <h2 className="text-lg font-semibold">{t(`analytics.section.${section}`)}</h2>
        {filters.length > 0 ? (
          <p className="text-sm text-muted">
            {filters.map((name) => filterText(name, search[name], options)).join(' · ')}
          </p>
        ) : null}
      </div>
      {contentOf(section, search)}
    </article>
  );
}

/** Numbers on paper open nothing. */
function contentOf(section: Section, search: AnalyticsSearch): ReactNode {
  switch (section) {
    case 'overview':
      return <Overview search={search} />;
    case 'results':
      return <ResultsSection search={search} onShowPeople={undefined} />;
    case 'automation':
      return <AutomationSection search={search} onShowPeople={undefined} />;
    default:
      return <ReportSection search={search} onShowPeople={undefined} />;
  }
}

function Overview({ search }: { search: AnalyticsSearch }) {
  const options = reportOptions(search);
  const summary = useQuery(options.summary);
  const volume = useQuery(options.volume).data;
  const statuses = useQuery(options.statuses).data;
  const campaigns = useQuery(options.campaigns).data;
  const templates = useQuery(options.templates).data;
  const bestTime = useQuery(options.bestTime).data;
  if (summary.error && !summary.data)
    return <ErrorState text={errorMessage(summary.error)} onRetry={() => void summary.refetch()} />;
  return (
    <>
      <FigureCards summary={summary.data} onShowPeople={undefined} />
      <ReportCharts
        onShowPeople={undefined}
        search={search}
        onChange={() => undefined}
        reports={{ volume, statuses, campaigns, templates, bestTime }}
      />
    </>
  );
}
