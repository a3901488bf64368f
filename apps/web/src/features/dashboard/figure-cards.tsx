import { CheckCheck, Eye, Send, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber, formatPercent, formatRate, formatWholePercent } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { StatDelta, SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import type { Overview } from './dashboard-queries.ts';

type FigureName = 'totalContacts' | 'messagesSent' | 'deliveryRate' | 'readRate';

/** Of this month so far, but for the contacts, which are those of now. */
const CARDS: readonly { name: FigureName; icon: ReactNode }[] = [
  { name: 'totalContacts', icon: <Users /> },
  { name: 'messagesSent', icon: <Send /> },
  { name: 'deliveryRate', icon: <CheckCheck /> },
  { name: 'readRate', icon: <Eye /> },
];

/** Percent: after a month of next to nothing a larger figure says no more. */
const MOST_SAID = 999;

/** The four cards; undefined figures are their skeletons. */
export function FigureCards({ overview }: { overview: Overview | undefined }) {
  return (
    <SummaryCards label={t('dashboard.figures')}>
      {CARDS.map(({ name, icon }) => {
        const figure = overview?.[name];
        const isOfNow = name === 'totalContacts';
        return (
          <SummaryCard
            key={name}
            label={t(`dashboard.${name}`)}
            icon={icon}
            value={
              figure &&
              (name.endsWith('Rate')
                ? formatRate(figure.value, figure.value === 0 ? 0 : 100)
                : formatNumber(figure.value))
            }
            note={
              // Without figures it keeps the place of its lines, so that nothing moves when they come.
              <span className={figure ? undefined : 'invisible'}>
                {isOfNow ? null : <span className="block">{t('dashboard.thisMonth')}</span>}
                <Change
                  change={figure?.change ?? null}
                  nothing={t(isOfNow ? 'dashboard.noContactsBefore' : 'dashboard.noMessagesBefore')}
                />
              </span>
            }
          />
        );
      })}
    </SummaryCards>
  );
}

function Change({ change, nothing }: { change: number | null; nothing: string }) {
  if (change === null) return <span>{nothing}</span>;
  const text =
    change > MOST_SAID
      ? `> ${formatWholePercent(MOST_SAID / 100)}`
      : `${change > 0 ? '+' : ''}${formatPercent(change / 100)}`;
  return <StatDelta change={change} text={text} label={t('dashboard.vsLastMonth')} />;
}
