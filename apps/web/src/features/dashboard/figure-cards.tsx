import { CheckCheck, Eye, Send, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber, formatPercent, formatRate } from '../../shared/formats.ts';
import { t, type MessageKey } from '../../shared/messages.ts';
import { StatDelta, SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import type { Overview } from './dashboard-queries.ts';

type FigureName = 'totalContacts' | 'messagesSent' | 'deliveryRate' | 'readRate';

const CARDS: readonly {
  name: FigureName;
  label: MessageKey;
  icon: ReactNode;
  isRate: boolean;
  nothingBefore: MessageKey;
}[] = [
  {
    name: 'totalContacts',
    label: 'dashboard.totalContacts',
    icon: <Users />,
    isRate: false,
    nothingBefore: 'dashboard.noContactsBefore',
  },
  {
    name: 'messagesSent',
    label: 'dashboard.messagesSent',
    icon: <Send />,
    isRate: false,
    nothingBefore: 'dashboard.noMessagesBefore',
  },
  {
    name: 'deliveryRate',
    label: 'dashboard.deliveryRate',
    icon: <CheckCheck />,
    isRate: true,
    nothingBefore: 'dashboard.noMessagesBefore',
  },
  {
    name: 'readRate',
    label: 'dashboard.readRate',
    icon: <Eye />,
    isRate: true,
    nothingBefore: 'dashboard.noMessagesBefore',
  },
];

/** The four cards; undefined figures are their skeletons. */
export function FigureCards({ overview }: { overview: Overview | undefined }) {
  return (
    <SummaryCards label={t('dashboard.figures')}>
      {CARDS.map(({ name, label, icon, isRate, nothingBefore }) => {
        const figure = overview?.[name];
        return (
          <SummaryCard
            key={name}
            label={t(label)}
            icon={icon}
            value={
              figure &&
              (isRate ? formatRate(figure.value, figure.value === 0 ? 0 : 100) : formatNumber(figure.value))
            }
            note={
              figure ? (
                <Change change={figure.change} nothing={t(nothingBefore)} />
              ) : (
                // Keeps the place of the line, so that nothing moves when the figures come.
                <span className="invisible">{t(nothingBefore)}</span>
              )
            }
          />
        );
      })}
    </SummaryCards>
  );
}

function Change({ change, nothing }: { change: number | null; nothing: string }) {
  if (change === null) return <span>{nothing}</span>;
  const text = `${change > 0 ? '+' : ''}${formatPercent(change / 100)}`;
  return <StatDelta change={change} text={text} label={t('dashboard.vsLastMonth')} />;
}
