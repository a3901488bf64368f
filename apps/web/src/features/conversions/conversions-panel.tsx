import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { errorMessage } from '../../shared/error-message.ts';
import { formatMoney, formatNumber, formatRate } from '../../shared/formats.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { campaignOptions, type CampaignConversions } from './conversions-queries.ts';

const SettingsDialog = lazyDialog(async () => (await import('./settings-dialog.tsx')).SettingsDialog);

/** Who clicked a link of a campaign, and what came of it. */
export function ConversionsPanel({
  campaignId,
  delivered,
  cost,
}: {
  campaignId: string;
  /** Recipients whom a message of the campaign reached. */
  delivered: number;
  /** What the campaign cost so far. */
  cost: { amount: number; currency: string };
}) {
  const [isOpen, setOpen] = useState(false);
  const options = campaignOptions(campaignId);
  const { data, error, refetch } = useQuery(options);
  // A click emits nothing: the figures are read again with those of the campaign.
  useLiveQuery(['campaigns', 'campaign-progress', 'settings'], [options.queryKey]);
  return (
    <Panel
      title={t('conversions.title')}
      purpose={data ? t('conversions.window', { n: data.windowDays }) : undefined}
      actions={
        can('settings:update') ? (
          <Button size="small" variant="ghost" onClick={() => setOpen(true)}>
            {t('conversions.change')}
          </Button>
        ) : undefined
      }
    >
      {data ? (
        <Figures figures={data} delivered={delivered} cost={cost} />
      ) : error ? (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion>
          <Skeleton className="h-44 w-full" />
        </SkeletonRegion>
      )}
      {isOpen ? (
        <Suspense>
          <SettingsDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Panel>
  );
}

function Figures({
  figures,
  delivered,
  cost,
}: {
  figures: CampaignConversions;
  delivered: number;
  cost: { amount: number; currency: string };
}) {
  const { clicked, clicks, converted, conversions, revenue, currency, notCounted, links, taps } = figures;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {figures.countsLinks ? null : <Banner>{t('conversions.off')}</Banner>}
      <SummaryCards label={t('conversions.title')}>
        <SummaryCard
          label={t('conversions.clicked')}
          value={clicked}
          note={
            clicked > 0
              ? `${t('conversions.ofDelivered', { rate: formatRate(clicked, delivered) })} · ${t('conversions.clicks', { n: clicks })}`
              : undefined
          }
        />
        <SummaryCard
          label={t('conversions.converted')}
          value={converted}
          note={
            converted > 0
              ? `${t('conversions.ofClicked', { rate: formatRate(converted, clicked) })} · ${t('conversions.conversions', { n: conversions })}`
              : undefined
          }
        />
        <SummaryCard label={t('conversions.revenue')} value={formatMoney(revenue, currency)} />
        <SummaryCard
          label={t('conversions.costPer')}
          value={converted > 0 && cost.amount > 0 ? formatMoney(cost.amount / converted, cost.currency) : '–'}
        />
      </SummaryCards>
      {notCounted.map((other) => (
        <p key={other.currency} className="text-sm text-muted">
          {t('conversions.notCounted', {
            ...{ n: other.conversions, value: formatMoney(other.value, other.currency), currency },
          })}
        </p>
      ))}
      {links.length === 0 ? (
        <p className="text-sm text-pretty text-muted">{t('conversions.noLinks')}</p>
      ) : (
        <Links links={links} />
      )}
      {taps.length === 0 ? null : <Taps taps={taps} />}
    </div>
  );
}

function Taps({ taps }: { taps: CampaignConversions['taps'] }) {
  return (
    <CountsTable
      {...{ title: t('conversions.taps'), rowHeader: t('conversions.suggestion') }}
      columns={[t('conversions.people'), t('conversions.tapCount')]}
      rows={taps.map(({ label, tapped, taps: count }) => ({
        ...{ key: label, counts: [tapped, count] },
        name: <bdi className="font-medium">{label}</bdi>,
      }))}
    />
  );
}

function Links({ links }: { links: CampaignConversions['links'] }) {
  return (
    <CountsTable
      {...{ title: t('conversions.links'), rowHeader: t('conversions.link') }}
      columns={[t('conversions.people'), t('conversions.clickCount'), t('conversions.previews')]}
      rows={links.map(({ id, label, target, isOfFallback, clicked, clicks, previews }) => ({
        ...{ key: id, counts: [clicked, clicks, previews] },
        name: (
          <>
            <span className="block font-medium">
              <bdi>{label === '' ? t('conversions.inText') : label}</bdi>
              {isOfFallback ? (
                <span className="text-sm font-normal text-muted"> · {t('conversions.ofFallback')}</span>
              ) : null}
            </span>
            <span className="block text-sm wrap-anywhere text-muted">{target}</span>
          </>
        ),
      }))}
    />
  );
}

/** What can be tapped, and how often it was. */
function CountsTable({
  title,
  rowHeader,
  columns,
  rows,
}: {
  title: string;
  rowHeader: string;
  columns: readonly string[];
  rows: readonly { key: string; name: ReactNode; counts: readonly number[] }[];
}) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="text-sm text-muted">
            <th scope="col" className="py-2 pr-4 font-normal">
              {rowHeader}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-2 text-right font-normal">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, counts }) => (
            <tr key={key} className="border-t border-border align-top">
              <th scope="row" className="min-w-40 py-2 pr-4 font-normal">
                {name}
              </th>
              {counts.map((count, at) => (
                <td key={at} className="px-2 py-2 text-right">
                  {formatNumber(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
