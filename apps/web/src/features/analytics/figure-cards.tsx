import { LARGEST_CHANGE } from '@app/domain/analytics/report-view';
import { CheckCheck, Eye, MessageCircleReply, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber, formatPercent, formatWholePercent } from '../../shared/formats.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { StatDelta, SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { filterNames, type AnalyticsSearch, type Reports, type ShowPeople } from './analytics-queries.ts';
import { formatHour } from './format-hour.ts';

const COUNTED = ['sent', 'delivered', 'read', 'replied'] as const;

const CARDS: readonly {
  name: 'messages' | 'deliveryRate' | 'readRate' | 'responseRate';
  icon: ReactNode;
  /** Whose people are behind it. */
  metric: (typeof COUNTED)[number];
}[] = [
  { name: 'messages', icon: <Send />, metric: 'sent' },
  { name: 'deliveryRate', icon: <CheckCheck />, metric: 'delivered' },
  { name: 'readRate', icon: <Eye />, metric: 'read' },
  { name: 'responseRate', icon: <MessageCircleReply />, metric: 'replied' },
];

/** The four figures of the period, each with its change; undefined figures are their skeletons. A press shows the people behind one. */
export function FigureCards({
  summary,
  onShowPeople,
}: {
  summary: Reports['getSummary'] | undefined;
  /** Undefined for who may not see contacts. */
  onShowPeople: ShowPeople;
}) {
  return (
    <SummaryCards label={t('analytics.figures')}>
      {CARDS.map(({ name, icon, metric }) => {
        const figure = summary?.[name];
        return (
          <SummaryCard
            key={name}
            label={t(`analytics.${name}`)}
            icon={icon}
            value={
              figure && (
                <PressedFigure
                  label={t('analytics.people.showOf', { label: t(`analytics.${metric}`) })}
                  onPress={
                    onShowPeople && summary.counts[metric] > 0 ? () => onShowPeople(metric) : undefined
                  }
                >
                  {figure.value === null
                    ? '–'
                    : name === 'messages'
                      ? formatNumber(figure.value)
                      : formatPercent(figure.value / 100)}
                </PressedFigure>
              )
            }
            note={
              <span className={figure ? undefined : 'invisible'}>
                {name === 'responseRate' ? (
                  <span className="block">{t('analytics.responseNote')}</span>
                ) : null}
                {figure?.value === null ? null : (
                  <Change
                    change={figure?.change ?? null}
                    until={summary?.before.until ?? null}
                    isRate={name !== 'messages'}
                  />
                )}
              </span>
            }
          />
        );
      })}
    </SummaryCards>
  );
}

/** Where nothing was sent or received, and so every chart is empty: what brings figures. */
export function NothingSent({
  summary,
  search,
  onChange,
}: {
  summary: Reports['getSummary'] | undefined;
  search: AnalyticsSearch;
  onChange: (patch: Partial<AnalyticsSearch>) => void;
}) {
  if (!summary || Object.values(summary.counts).some((count) => count > 0)) return null;
  const isNarrowed = filterNames.some((name) => search[name] !== '');
  return (
    <Banner
      action={
        isNarrowed ? (
          <Button
            size="small"
            onClick={() => onChange(Object.fromEntries(filterNames.map((name) => [name, ''])))}
          >
            {t('analytics.clearFilters')}
          </Button>
        ) : search.period !== '1year' ? (
          <Button size="small" onClick={() => onChange({ period: '1year', from: '', to: '' })}>
            {t('analytics.nothingSent.year')}
          </Button>
        ) : can('campaigns:create') ? (
          <ButtonLink to={paths.campaigns} size="small">
            {t('analytics.nothingSent.campaigns')}
          </ButtonLink>
        ) : undefined
      }
    >
      {t(isNarrowed ? 'analytics.nothingSent.narrowed' : 'analytics.nothingSent')}
    </Banner>
  );
}

/** A number with the people behind it. */
export function PressedFigure({
  label,
  onPress,
  children,
}: {
  label: string;
  onPress: (() => void) | undefined;
  children: ReactNode;
}) {
  if (!onPress) return children;
  return (
    <button
      type="button"
      title={label}
      onClick={onPress}
      className="rounded decoration-muted decoration-dotted underline-offset-4 hover:underline focus-visible:underline"
    >
      {children}
    </button>
  );
}

/** A count in a card that shows its people; one of nobody is a plain number. */
export function CountedPeople({
  label,
  value,
  onPress,
}: {
  label: string;
  value: number;
  onPress: (() => void) | undefined;
}) {
  return (
    <PressedFigure label={t('analytics.people.showOf', { label })} onPress={value > 0 ? onPress : undefined}>
      {formatNumber(value)}
    </PressedFigure>
  );
}

/** In percent, and of a rate in percentage points; until a time of its last day, where today is not over either. */
function Change({ change, until, isRate }: { change: number | null; until: string | null; isRate: boolean }) {
  if (change === null) return <span>{t('analytics.nothingBefore')}</span>;
  const text =
    change > LARGEST_CHANGE
      ? `> ${formatWholePercent(LARGEST_CHANGE / 100)}`
      : `${change > 0 ? '+' : ''}${formatPercent(change / 100)}`;
  const time = until === null ? null : formatHour(hoursOf(until)).replaceAll(' ', '\u00a0');
  const label = isRate
    ? time === null
      ? t('analytics.pointsVsBefore')
      : t('analytics.pointsVsBeforeUntil', { time })
    : time === null
      ? t('analytics.vsBefore')
      : t('analytics.vsBeforeUntil', { time });
  return <StatDelta change={change} text={text} label={label} />;
}

/** 14:15 → 14.25 */
function hoursOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours + minutes / 60;
}
