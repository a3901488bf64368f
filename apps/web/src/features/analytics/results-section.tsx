import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatMoney, formatNumber, formatRate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { reportOptions, type AnalyticsSearch, type Reports, type ShowPeople } from './analytics-queries.ts';
import { ChartSelect } from './chart-select.tsx';
import { PressedFigure } from './figure-cards.tsx';
import { AbTestsTable } from './results/ab-tests-table.tsx';
import { CampaignComparison, measureOf } from './results/campaign-comparison.tsx';
import { Asked } from './report-sections.tsx';
import { nameOf } from './report-tables.ts';
import { TablePanel } from './table-panel.tsx';

type Results = Reports['getResults'];

/** The answer to: what came of what was sent? */
export function ResultsSection({
  search,
  onShowPeople,
}: {
  search: AnalyticsSearch;
  onShowPeople: ShowPeople;
}) {
  const [windowDays, setWindow] = useState<(typeof WINDOWS)[number]>('7');
  const query = useQuery(reportOptions(search).results(Number(windowDays)));
  const { data } = query;
  return (
    <Asked query={query}>
      <Funnel results={data} onShowPeople={onShowPeople} />
      <Spending results={data} />
      <CampaignComparison results={data} />
      <Campaigns
        results={data}
        onShowPeople={
          onShowPeople &&
          ((metric, part) =>
            onShowPeople(metric, {
              ...part,
              ...(metric === 'optedOut' && { windowDays: Number(windowDays) }),
            }))
        }
        actions={
          <ChartSelect
            label={t('analytics.results.window')}
            value={windowDays}
            values={WINDOWS}
            textOf={(days) => t('analytics.results.windowDays', { n: Number(days) })}
            onChange={setWindow}
          />
        }
      />
      <AbTestsTable results={data} />
      <TemplateHealth search={search} onShowPeople={onShowPeople} />
    </Asked>
  );
}

const WINDOWS = ['1', '3', '7', '14', '30'] as const;
const STAGES = ['sent', 'delivered', 'read', 'replied', 'clicked', 'converted'] as const;
/** Of which stage each one is a part. */
const BEFORE = {
  sent: 'sent',
  delivered: 'sent',
  read: 'delivered',
  replied: 'delivered',
  clicked: 'delivered',
  converted: 'delivered',
} as const;

function stageName(stage: (typeof STAGES)[number]): string {
  return stage === 'converted' ? t('analytics.results.converted') : t(`analytics.${stage}`);
}

function Funnel({ results, onShowPeople }: { results: Results | undefined; onShowPeople: ShowPeople }) {
  const funnel = results?.funnel;
  const most = funnel ? Math.max(1, ...STAGES.map((stage) => funnel[stage] ?? 0)) : 1;
  return (
    <Panel title={t('analytics.results.funnel')} purpose={t('analytics.results.funnelUnit')}>
      {funnel === undefined ? (
        <SkeletonRegion>
          <Skeleton className="h-56 w-full" />
        </SkeletonRegion>
      ) : (
        <ol className="flex flex-col gap-3">
          {STAGES.map((stage) => {
            const value = funnel[stage];
            return (
              <li key={stage} className="flex min-w-0 flex-col gap-1">
                <div className="flex items-baseline justify-between gap-3">
                  <span className="font-medium">{stageName(stage)}</span>
                  <span className="tabular-nums">
                    {value === null ? (
                      '–'
                    ) : (
                      <>
                        <PressedFigure
                          label={t('analytics.people.showOf', { label: stageName(stage) })}
                          onPress={onShowPeople && value > 0 ? () => onShowPeople(stage) : undefined}
                        >
                          <span className="font-semibold">{formatNumber(value)}</span>
                        </PressedFigure>
                        {stage === 'sent' || !funnel[BEFORE[stage]] ? null : (
                          <span className="text-sm text-muted">
                            {` · ${t('analytics.results.ofStage', {
                              rate: formatRate(value, funnel[BEFORE[stage]]),
                              stage: t(`analytics.${BEFORE[stage]}`),
                            })}`}
                          </span>
                        )}
                      </>
                    )}
                  </span>
                </div>
                <div aria-hidden className="h-3 overflow-hidden rounded bg-hover">
                  <div
                    className="h-full rounded bg-primary"
                    style={{ width: `${((value ?? 0) / most) * 100}%` }}
                  />
                </div>
                {stage === 'clicked' && !value ? (
                  <p className="text-sm text-muted">
                    {value === null ? t('analytics.results.clicksUnknown') : t('analytics.results.noClicks')}
                  </p>
                ) : null}
                {stage === 'converted' && value !== null ? (
                  <p className="text-sm text-muted">
                    {value === 0
                      ? t('analytics.results.noConversions')
                      : t('analytics.results.conversionDays', { n: results?.conversionDays ?? 0 })}
                  </p>
                ) : null}
              </li>
            );
          })}
        </ol>
      )}
    </Panel>
  );
}

function Spending({ results }: { results: Results | undefined }) {
  const money = (amount: number) => formatMoney(amount, results?.currency);
  const per = (count: number | null) =>
    results === undefined ? undefined : !results.cost || !count ? '–' : money(results.cost / count);
  const { budget, cost, funnel } = results ?? {};
  return (
    <SummaryCards label={t('analytics.results.spending')}>
      <SummaryCard
        label={t('analytics.results.spent')}
        value={results && (cost === null || cost === undefined ? '–' : money(cost))}
        note={
          results &&
          (cost === null
            ? t('analytics.results.costUnknown')
            : budget
              ? undefined
              : t('analytics.results.noBudget'))
        }
      />
      <SummaryCard
        label={t('analytics.results.budget')}
        value={results && (budget ? formatRate(budget.used, budget.perMonth) : '–')}
        note={
          budget
            ? t('analytics.results.budgetLeft', { left: money(budget.left), all: money(budget.perMonth) })
            : undefined
        }
      />
      <SummaryCard label={t('analytics.results.perRead')} value={per(funnel?.read ?? 0)} />
      <SummaryCard label={t('analytics.results.perReply')} value={per(funnel?.replied ?? 0)} />
      <SummaryCard label={t('analytics.results.perClick')} value={per(funnel?.clicked ?? 0)} />
      <SummaryCard
        label={t('analytics.results.perConversion')}
        value={per(funnel?.converted ?? 0)}
        note={
          results?.revenue && results.revenueCurrency
            ? t('analytics.results.revenue', {
                amount: formatMoney(results.revenue, results.revenueCurrency),
              })
            : undefined
        }
      />
    </SummaryCards>
  );
}

function Campaigns({
  results,
  onShowPeople,
  actions,
}: {
  results: Results | undefined;
  onShowPeople: ShowPeople;
  actions: ReactNode;
}) {
  const items = results?.items;
  const rate = (value: number) => formatRate(value, 100);
  const defined = (key: string, value: number | null | undefined) =>
    value === null || value === undefined ? {} : { [key]: value };
  return (
    <TablePanel
      purpose={t('analytics.results.campaignsUnit')}
      empty={t('analytics.results.noCampaigns')}
      actions={actions}
      formats={{
        ...{ delivered: rate, read: rate, replied: rate, clicked: rate, converted: rate },
        revenue: (value) => formatMoney(value, results?.revenueCurrency ?? undefined),
        cost: (value) => formatMoney(value, results?.currency),
        perReply: (value) => formatMoney(value, results?.currency),
      }}
      onPress={(at, key) => {
        const one = items?.[at];
        if (!onShowPeople || !one) return undefined;
        const metric = key === 'optOuts' ? 'optedOut' : STAGES.find((name) => name === key);
        if (metric === undefined || !(metric === 'optedOut' ? one.optOuts : one[metric])) return undefined;
        return () => onShowPeople(metric, { campaignId: one.id });
      }}
      table={{
        title: t('analytics.results.campaigns'),
        labelHeader: t('analytics.campaignHeader'),
        series: [
          { key: 'sent', label: t('analytics.sent'), color: 1 },
          { key: 'delivered', label: t('analytics.results.measure.delivered'), color: 1 },
          { key: 'read', label: t('analytics.results.measure.read'), color: 1 },
          { key: 'replied', label: t('analytics.results.measure.replied'), color: 1 },
          { key: 'clicked', label: t('analytics.results.measure.clicked'), color: 1 },
          { key: 'converted', label: t('analytics.results.measure.converted'), color: 1 },
          { key: 'revenue', label: t('analytics.results.revenueHeader'), color: 1 },
          { key: 'optOuts', label: t('analytics.audience.optOuts'), color: 1 },
          { key: 'cost', label: t('analytics.results.spent'), color: 1 },
          { key: 'perReply', label: t('analytics.results.measure.perReply'), color: 1 },
        ],
        points: items?.map((one) => ({
          label: nameOf(one),
          values: {
            ...{ sent: one.sent, optOuts: one.optOuts },
            ...defined('delivered', measureOf(one, 'delivered')),
            ...defined('read', measureOf(one, 'read')),
            ...defined('replied', measureOf(one, 'replied')),
            ...defined('clicked', measureOf(one, 'clicked')),
            ...defined('converted', measureOf(one, 'converted')),
            ...defined('revenue', one.revenue),
            ...defined('cost', one.cost),
            ...defined('perReply', measureOf(one, 'perReply')),
          },
        })),
      }}
    />
  );
}

const HEALTH = ['sent', 'delivered', 'read', 'failed'] as const;
const TROUBLE = ['PAUSED', 'DISABLED', 'FLAGGED'] as const;

function TemplateHealth({ search, onShowPeople }: { search: AnalyticsSearch; onShowPeople: ShowPeople }) {
  const query = useQuery(reportOptions(search).templateHealth);
  const hasWords = useMessages('templates');
  const state = (one: Reports['getTemplateHealth']['items'][number]) => {
    const trouble = TROUBLE.find((word) => word === one.platformStatus);
    if (trouble) return t(`analytics.health.${trouble}`);
    if (one.status === 'rejected') return t('analytics.health.rejected');
    if (hasWords && (one.quality === 'RED' || one.quality === 'YELLOW'))
      return t(`templates.quality.${one.quality}`);
    return null;
  };
  const rate = (value: number) => formatRate(value, 100);
  return (
    <Asked query={query}>
      <TablePanel
        purpose={t('analytics.health.unit')}
        empty={t('analytics.noTemplates')}
        formats={{ delivered: rate, read: rate, failed: rate }}
        onPress={(at, key) => {
          const one = query.data?.items[at];
          const metric = HEALTH.find((name) => name === key);
          if (!onShowPeople || !one || metric === undefined || one[metric] === 0) return undefined;
          return () => onShowPeople(metric, { templateId: one.id });
        }}
        table={{
          title: t('analytics.health.title'),
          labelHeader: t('analytics.template'),
          series: [
            { key: 'sent', label: t('analytics.sent'), color: 1 },
            { key: 'delivered', label: t('analytics.results.measure.delivered'), color: 1 },
            { key: 'read', label: t('analytics.results.measure.read'), color: 1 },
            { key: 'failed', label: t('analytics.results.measure.failed'), color: 1 },
          ],
          points: query.data?.items.map((one) => {
            const trouble = state(one);
            const { sent, delivered, read, failed, refused } = one;
            const share = (key: string, part: number, whole: number) =>
              whole === 0 ? {} : { [key]: (part / whole) * 100 };
            return {
              label:
                trouble === null ? nameOf(one) : t('analytics.health.named', { name: nameOf(one), trouble }),
              values: {
                sent,
                ...share('delivered', delivered, sent + refused),
                ...share('read', read, delivered),
                ...share('failed', failed, sent + refused),
              },
            };
          }),
        }}
      />
    </Asked>
  );
}
