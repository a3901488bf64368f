import { CheckCheck, Eye, MessageCircleReply, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber, formatPercent, formatRate, formatWholePercent } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { StatDelta, SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import type { Reports } from './analytics-queries.ts';

const CARDS: readonly {
  name: 'messages' | 'deliveryRate' | 'readRate' | 'responseRate';
  icon: ReactNode;
}[] = [
  { name: 'messages', icon: <Send /> },
  { name: 'deliveryRate', icon: <CheckCheck /> },
  { name: 'readRate', icon: <Eye /> },
  { name: 'responseRate', icon: <MessageCircleReply /> },
];

/** Percent: after a period of next to nothing a larger figure says no more. */
const MOST_SAID = 999;

/** The four figures of the period, each with its change; undefined figures are their skeletons. */
export function FigureCards({ summary }: { summary: Reports['getSummary'] | undefined }) {
  return (
    <SummaryCards label={t('analytics.figures')}>
      {CARDS.map(({ name, icon }) => {
        const figure = summary?.[name];
        return (
          <SummaryCard
            key={name}
            label={t(`analytics.${name}`)}
            icon={icon}
            value={
              figure &&
              (name === 'messages'
                ? formatNumber(figure.value)
                : formatRate(figure.value, figure.value === 0 ? 0 : 100))
            }
            note={
              <span className={figure ? undefined : 'invisible'}>
                {name === 'responseRate' ? (
                  <span className="block">{t('analytics.responseNote')}</span>
                ) : null}
                <Change change={figure?.change ?? null} />
              </span>
            }
          />
        );
      })}
    </SummaryCards>
  );
}

function Change({ change }: { change: number | null }) {
  if (change === null) return <span>{t('analytics.nothingBefore')}</span>;
  const text =
    change > MOST_SAID
      ? `> ${formatWholePercent(MOST_SAID / 100)}`
      : `${change > 0 ? '+' : ''}${formatPercent(change / 100)}`;
  return <StatDelta change={change} text={text} label={t('analytics.vsBefore')} />;
}
