import { isReportWord, NO_CODE } from '@app/domain/analytics/report-filter';
import { daysOfBucket } from '@app/domain/analytics/report-period';
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
import { CountedPeople, PressedFigure } from './figure-cards.tsx';
import { failureWords, sourceWords } from './reason-words.ts';
import {
  reportOptions,
  zoneOf,
  type AnalyticsSearch,
  type Reports,
  type ShowPeople,
} from './analytics-queries.ts';
import { formatHour } from './format-hour.ts';
import { TablePanel } from './table-panel.tsx';

/** One section of the page beside the overview, with its own question to the server. */
export function ReportSection(props: { search: AnalyticsSearch; onShowPeople: ShowPeople }) {
  const { section } = props.search;
  if (section === 'failures') return <Failures {...props} />;
  return section === 'inbox' ? <Inbox {...props} /> : <Audience {...props} />;
}

/** The answer of one report, or why there is none. */
export function Asked({
  query: { error, data, refetch },
  children,
}: {
  query: { error: Error | null; data: unknown; refetch: () => Promise<unknown> };
  children: ReactNode;
}) {
  if (error === null || data !== undefined)
    return (
      <div data-column className="flex flex-col gap-4">
        {children}
      </div>
    );
  return (
    <Panel title={t('analytics.figures')} flush>
      <ErrorState className="py-8" text={errorMessage(error)} onRetry={() => void refetch()} />
    </Panel>
  );
}

type Shown = { search: AnalyticsSearch; onShowPeople: ShowPeople };

function Failures({ search, onShowPeople }: Shown) {
  const query = useQuery(reportOptions(search).failures);
  useMessages('deliveries', true);
  return (
    <Asked query={query}>
      <TablePanel
        purpose={t('analytics.failures.unit')}
        empty={t('analytics.failures.none')}
        onPress={(at) => {
          const one = query.data?.items[at];
          const reason = one?.code ?? NO_CODE;
          if (!onShowPeople || !one || !isReportWord(reason)) return undefined;
          return () => onShowPeople('failed', { reason });
        }}
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

type Rounds = Pick<Reports['getInbox'], 'responses' | 'responseMs' | 'late' | 'resolutions' | 'resolutionMs'>;

function Inbox({ search, onShowPeople }: Shown) {
  const query = useQuery(reportOptions(search).inbox);
  const { data } = query;
  const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms / 1_000));
  return (
    <Asked query={query}>
      <SummaryCards label={t('analytics.section.inbox')}>
        <SummaryCard
          label={t('analytics.inbox.waiting')}
          icon={<Hourglass />}
          value={
            data && (
              <CountedPeople
                label={t('analytics.inbox.waiting')}
                value={data.waiting}
                onPress={onShowPeople && (() => onShowPeople('waiting'))}
              />
            )
          }
        />
        <SummaryCard
          label={t('analytics.inbox.responses')}
          icon={<MessageCircleReply />}
          value={
            data && (
              <CountedPeople
                label={t('analytics.inbox.responses')}
                value={data.responses}
                onPress={onShowPeople && (() => onShowPeople('answered'))}
              />
            )
          }
          note={
            data && data.late > 0 ? (
              <PressedFigure
                label={t('analytics.people.showOf', { label: t('analytics.inbox.late', { n: data.late }) })}
                onPress={onShowPeople && (() => onShowPeople('answeredLate'))}
              >
                {t('analytics.inbox.late', { n: data.late })}
              </PressedFigure>
            ) : undefined
          }
        />
        <SummaryCard
          label={t('analytics.inbox.responseTime')}
          icon={<Timer />}
          value={data && duration(data.responseMs)}
        />
        <SummaryCard
          label={t('analytics.inbox.resolutions')}
          icon={<CircleCheck />}
          value={
            data && (
              <CountedPeople
                label={t('analytics.inbox.resolutions')}
                value={data.resolutions}
                onPress={onShowPeople && (() => onShowPeople('resolved'))}
              />
            )
          }
        />
        <SummaryCard
          label={t('analytics.inbox.resolutionTime')}
          icon={<Clock />}
          value={data && duration(data.resolutionMs)}
        />
      </SummaryCards>
      {data && data.satisfaction.asked > 0 ? (
        <Satisfaction satisfaction={data.satisfaction} onShowPeople={onShowPeople} />
      ) : null}
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
      <Rounds
        title={t('analytics.inbox.byAgent')}
        header={t('analytics.agent')}
        rows={data?.agents}
        onShowPeople={onShowPeople}
        of={(agentId) => ({ agentId })}
      />
      {data?.teams.length === 0 ? null : (
        <Rounds
          title={t('analytics.inbox.byTeam')}
          header={t('analytics.team')}
          rows={data?.teams}
          onShowPeople={onShowPeople}
          of={(teamId) => ({ teamId })}
        />
      )}
    </Asked>
  );
}

type Satisfaction = Reports['getInbox']['satisfaction'];
type Rated = Pick<Satisfaction, 'asked' | 'good' | 'okay' | 'bad'>;

/** How contacts rated resolved conversations; nothing where nobody was asked. */
function Satisfaction({
  satisfaction,
  onShowPeople,
}: {
  satisfaction: Satisfaction;
  onShowPeople: ShowPeople;
}) {
  const { agents, teams, ...all } = satisfaction;
  return (
    <>
      <Ratings
        title={t('analytics.satisfaction.title')}
        header={t('analytics.satisfaction.whose')}
        rows={[{ ...all, id: '', name: t('analytics.satisfaction.all') }]}
        onShowPeople={onShowPeople}
        of={() => ({})}
      />
      {agents.length > 0 ? (
        <Ratings
          title={t('analytics.satisfaction.byAgent')}
          header={t('analytics.agent')}
          rows={agents}
          onShowPeople={onShowPeople}
          of={(agentId) => ({ agentId })}
        />
      ) : null}
      {teams.length > 0 ? (
        <Ratings
          title={t('analytics.satisfaction.byTeam')}
          header={t('analytics.team')}
          rows={teams}
          onShowPeople={onShowPeople}
          of={(teamId) => ({ teamId })}
        />
      ) : null}
    </>
  );
}

/** The people of a row: of all, of a member or of a team. */
type OfRow = { onShowPeople: ShowPeople; of: (id: string) => { agentId?: string; teamId?: string } };
const RATINGS = { asked: 'asked', good: 'ratedGood', okay: 'ratedOkay', bad: 'ratedBad' } as const;
const ROUNDS = { responses: 'answered', resolutions: 'resolved' } as const;

function Ratings({
  title,
  header,
  rows,
  onShowPeople,
  of,
}: {
  title: string;
  header: string;
  rows: readonly (Rated & { id: string; name: string | null })[];
} & OfRow) {
  return (
    <TablePanel
      empty={t('analytics.inbox.none')}
      formats={{ share: formatPercent }}
      onPress={(at, key) => {
        const one = rows[at];
        if (!onShowPeople || !one || !(key === 'asked' || key === 'good' || key === 'okay' || key === 'bad'))
          return undefined;
        return one[key] > 0 ? () => onShowPeople(RATINGS[key], of(one.id)) : undefined;
      }}
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
  onShowPeople,
  of,
}: {
  title: string;
  header: string;
  rows: readonly (Rounds & { id: string; name: string | null })[] | undefined;
} & OfRow) {
  const seconds = (ms: number | null) => (ms === null ? {} : { value: Math.round(ms / 1_000) });
  return (
    <TablePanel
      empty={t('analytics.inbox.none')}
      onPress={(at, key) => {
        const one = rows?.[at];
        if (!onShowPeople || !one || !(key === 'responses' || key === 'resolutions')) return undefined;
        return one[key] > 0 ? () => onShowPeople(ROUNDS[key], of(one.id)) : undefined;
      }}
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

function Audience({ search, onShowPeople }: Shown) {
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
        labelHeader={t(`analytics.${data?.bucket ?? 'day'}`)}
        series={series}
        onPress={(at, key) => {
          const point = data?.points[at];
          if (!onShowPeople || !point || !(key === 'added' || key === 'optIns' || key === 'optOuts'))
            return undefined;
          return point[key] > 0 ? () => onShowPeople(key, daysOfBucket(data, point.day)) : undefined;
        }}
        points={data?.points.map(({ day, added, optIns, optOuts }) => ({
          label: data.bucket === 'month' ? formatMonth(day) : formatDay(day),
          values: { added, optIns, optOuts },
        }))}
      />
      <TablePanel
        purpose={t('analytics.audience.sourcesUnit')}
        empty={t('analytics.audience.none')}
        onPress={(at) => {
          const one = data?.sources[at];
          if (!onShowPeople || !one || !isReportWord(one.source)) return undefined;
          return () => onShowPeople(KINDS[one.kind], { source: one.source });
        }}
        table={{
          title: t('analytics.audience.sources'),
          labelHeader: t('analytics.audience.source'),
          series: [{ key: 'contacts', label: t('analytics.audience.unit'), color: 1 }],
          points: data?.sources.map(({ kind, source, contacts }) => ({
            label: sourceWords(KINDS[kind], source),
            values: { contacts },
          })),
        }}
      />
    </Asked>
  );
}
