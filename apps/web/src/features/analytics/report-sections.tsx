import { useQuery } from '@tanstack/react-query';
import { Clock, Hourglass, MessageCircleReply, CircleCheck, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDay, formatDuration, formatMonth, formatPercent } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { BarChart, LineChart } from '../../ui/charts/charts.tsx';
import type { ChartSeries } from '../../ui/charts/chart-series.ts';
import { outcomeColors } from '../../ui/charts/outcome-colors.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { reasonWords } from '../sending/delivery-words.ts';
import { reportOptions, zoneOf, type AnalyticsSearch, type Reports } from './analytics-queries.ts';
import { formatHour } from './format-hour.ts';
import { TablePanel } from './table-panel.tsx';

/** One section of the page beside the overview, with its own question to the server. */
export function ReportSection({ search }: { search: AnalyticsSearch }) {
  if (search.section === 'failures') return <Failures search={search} />;
  return search.section === 'inbox' ? <Inbox search={search} /> : <Audience search={search} />;
}

/** The answer of one report, or why there is none. */
export function Asked({
  query: { error, data, refetch },
  children,
}: {
  query: { error: Error | null; data: unknown; refetch: () => Promise<unknown> };
  children: ReactNode;
}) {
  if (error === null || data !== undefined) return <div className="flex flex-col gap-4">{children}</div>;
  return (
    <Panel title={t('analytics.figures')} flush>
      <ErrorState className="py-8" text={errorMessage(error)} onRetry={() => void refetch()} />
    </Panel>
  );
}

function Failures({ search }: { search: AnalyticsSearch }) {
  const query = useQuery(reportOptions(search).failures);
  useMessages('deliveries', true);
  return (
    <Asked query={query}>
      <TablePanel
        purpose={t('analytics.failures.unit')}
        empty={t('analytics.failures.none')}
        table={{
          title: t('analytics.failures.title'),
          labelHeader: t('analytics.failures.reason'),
          series: [{ key: 'count', label: t('analytics.messages'), color: 1 }],
          points: query.data?.items.map(({ code, count }) => ({
            label: failureWords(code),
            values: { count },
          })),
        }}
      />
    </Asked>
  );
}

function failureWords(code: string | null): string {
  if (code === null) return t('analytics.failures.unknown');
  const named = t('analytics.failures.code', { code });
  const words = reasonWords(code);
  return words === null ? named : `${words} (${named})`;
}

type Rounds = Pick<Reports['getInbox'], 'responses' | 'responseMs' | 'late' | 'resolutions' | 'resolutionMs'>;

function Inbox({ search }: { search: AnalyticsSearch }) {
  const query = useQuery(reportOptions(search).inbox);
  const { data } = query;
  const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms / 1_000));
  return (
    <Asked query={query}>
      <SummaryCards label={t('analytics.section.inbox')}>
        <SummaryCard label={t('analytics.inbox.waiting')} icon={<Hourglass />} value={data?.waiting} />
        <SummaryCard
          label={t('analytics.inbox.responses')}
          icon={<MessageCircleReply />}
          value={data?.responses}
          note={data && data.late > 0 ? t('analytics.inbox.late', { n: data.late }) : undefined}
        />
        <SummaryCard
          label={t('analytics.inbox.responseTime')}
          icon={<Timer />}
          value={data && duration(data.responseMs)}
        />
        <SummaryCard
          label={t('analytics.inbox.resolutions')}
          icon={<CircleCheck />}
          value={data?.resolutions}
        />
        <SummaryCard
          label={t('analytics.inbox.resolutionTime')}
          icon={<Clock />}
          value={data && duration(data.resolutionMs)}
        />
      </SummaryCards>
      {data && data.satisfaction.asked > 0 ? <Satisfaction satisfaction={data.satisfaction} /> : null}
      <BarChart
        title={t('analytics.inbox.byHour')}
        unit={t('analytics.inbox.byHourUnit', { zone: zoneOf(search).replaceAll('_', ' ') })}
        labelHeader={t('analytics.hour')}
        series={[
          { key: 'received', label: t('analytics.inbox.received'), color: 2 },
          { key: 'responses', label: t('analytics.inbox.responses'), color: 1 },
        ]}
        points={data?.hours.map(({ hour, received, responses }) => ({
          label: formatHour(hour),
          values: { received, responses },
        }))}
      />
      <Rounds title={t('analytics.inbox.byAgent')} header={t('analytics.agent')} rows={data?.agents} />
      {data?.teams.length === 0 ? null : (
        <Rounds title={t('analytics.inbox.byTeam')} header={t('analytics.team')} rows={data?.teams} />
      )}
    </Asked>
  );
}

type Satisfaction = Reports['getInbox']['satisfaction'];
type Rated = Pick<Satisfaction, 'asked' | 'good' | 'okay' | 'bad'>;

/** How contacts rated resolved conversations; nothing where nobody was asked. */
function Satisfaction({ satisfaction }: { satisfaction: Satisfaction }) {
  const { agents, teams, ...all } = satisfaction;
  return (
    <>
      <Ratings
        title={t('analytics.satisfaction.title')}
        header={t('analytics.satisfaction.whose')}
        rows={[{ ...all, name: t('analytics.satisfaction.all') }]}
      />
      {agents.length > 0 ? (
        <Ratings title={t('analytics.satisfaction.byAgent')} header={t('analytics.agent')} rows={agents} />
      ) : null}
      {teams.length > 0 ? (
        <Ratings title={t('analytics.satisfaction.byTeam')} header={t('analytics.team')} rows={teams} />
      ) : null}
    </>
  );
}

function Ratings({
  title,
  header,
  rows,
}: {
  title: string;
  header: string;
  rows: readonly (Rated & { name: string | null })[];
}) {
  return (
    <TablePanel
      empty={t('analytics.inbox.none')}
      formats={{ share: formatPercent }}
      table={{
        title,
        labelHeader: header,
        series: [
          { key: 'asked', label: t('analytics.satisfaction.asked'), color: 1 },
          { key: 'good', label: t('analytics.satisfaction.good'), color: 1 },
          { key: 'okay', label: t('analytics.satisfaction.okay'), color: 1 },
          { key: 'bad', label: t('analytics.satisfaction.bad'), color: 1 },
          { key: 'share', label: t('analytics.satisfaction.share'), color: 1 },
        ],
        points: rows.map(({ name, asked, good, okay, bad }) => ({
          label: name ?? t('analytics.inbox.gone'),
          values: {
            ...{ asked, good, okay, bad },
            ...(good + okay + bad > 0 && { share: good / (good + okay + bad) }),
          },
        })),
      }}
    />
  );
}

function Rounds({
  title,
  header,
  rows,
}: {
  title: string;
  header: string;
  rows: readonly (Rounds & { name: string | null })[] | undefined;
}) {
  const seconds = (ms: number | null) => (ms === null ? {} : { value: Math.round(ms / 1_000) });
  return (
    <TablePanel
      empty={t('analytics.inbox.none')}
      formats={{ responseTime: formatDuration, resolutionTime: formatDuration }}
      fileLabels={{
        responseTime: t('analytics.inbox.seconds', { label: t('analytics.inbox.responseTime') }),
        resolutionTime: t('analytics.inbox.seconds', { label: t('analytics.inbox.resolutionTime') }),
      }}
      table={{
        title,
        labelHeader: header,
        series: [
          { key: 'responses', label: t('analytics.inbox.responses'), color: 1 },
          { key: 'responseTime', label: t('analytics.inbox.responseTime'), color: 1 },
          { key: 'resolutions', label: t('analytics.inbox.resolutions'), color: 1 },
          { key: 'resolutionTime', label: t('analytics.inbox.resolutionTime'), color: 1 },
        ],
        points: rows?.map(({ name, responses, responseMs, resolutions, resolutionMs }) => {
          const [response, resolution] = [seconds(responseMs), seconds(resolutionMs)];
          return {
            label: name ?? t('analytics.inbox.gone'),
            values: {
              ...{ responses, resolutions },
              ...(response.value !== undefined && { responseTime: response.value }),
              ...(resolution.value !== undefined && { resolutionTime: resolution.value }),
            },
          };
        }),
      }}
    />
  );
}

const KINDS = { new: 'added', opt_in: 'optIns', opt_out: 'optOuts' } as const;

function Audience({ search }: { search: AnalyticsSearch }) {
  const query = useQuery(reportOptions(search).audience);
  const { data } = query;
  const series: ChartSeries[] = [
    { key: 'added', label: t('analytics.audience.added'), color: 1 },
    { key: 'optIns', label: t('analytics.audience.optIns'), color: 2 },
    { key: 'optOuts', label: t('analytics.audience.optOuts'), color: outcomeColors.failed },
  ];
  return (
    <Asked query={query}>
      <LineChart
        title={t('analytics.audience.title')}
        unit={t('analytics.audience.unit')}
        labelHeader={t('analytics.day')}
        series={series}
        points={data?.points.map(({ day, added, optIns, optOuts }) => ({
          label: data.bucket === 'month' ? formatMonth(day) : formatDay(day),
          values: { added, optIns, optOuts },
        }))}
      />
      <TablePanel
        purpose={t('analytics.audience.sourcesUnit')}
        empty={t('analytics.audience.none')}
        table={{
          title: t('analytics.audience.sources'),
          labelHeader: t('analytics.audience.source'),
          series: [{ key: 'contacts', label: t('analytics.audience.unit'), color: 1 }],
          points: data?.sources.map(({ kind, source, contacts }) => ({
            label: t('analytics.audience.of', { what: t(`analytics.audience.${KINDS[kind]}`), source }),
            values: { contacts },
          })),
        }}
      />
    </Asked>
  );
}
