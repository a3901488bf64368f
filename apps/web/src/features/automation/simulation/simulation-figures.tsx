import { useMemo } from 'react';
import { formatNumber } from '../../../shared/formats.ts';
import { t, useLocale, type Locale } from '../../../shared/messages.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { SummaryCard, SummaryCards } from '../../../ui/table/summary-cards.tsx';
import type { Column } from '../../../ui/table/table-column.ts';
import type { Simulation } from '../workflows-queries.ts';

const figures = ['contacts', 'messages', 'failed', 'unknown'] as const;

/** What the draft would have come to, with the published version below each figure. */
export function SimulationFigures({ simulation }: { simulation: Simulation }) {
  const { draft, published } = simulation.sides;
  return (
    <SummaryCards label={t('simulation.side.draft')}>
      {figures.map((name) => (
        <SummaryCard
          key={name}
          label={t(`simulation.figure.${name}`)}
          value={draft[name]}
          note={
            simulation.published === null
              ? undefined
              : t('simulation.figure.published', { number: published[name] })
          }
        />
      ))}
    </SummaryCards>
  );
}

type MessageRow = Simulation['messages'][number];

const nameOf = ({ templateName, text, templateId }: MessageRow): string =>
  templateId === null ? (text ?? '') : (templateName ?? t('simulation.messageGone'));

function columnsOf(_locale: Locale): Column<MessageRow>[] {
  const signed = (n: number) => (n > 0 ? `+${formatNumber(n)}` : formatNumber(n));
  return [
    {
      id: 'message',
      header: t('simulation.message'),
      cell: (row) => (
        <span dir="auto" className="line-clamp-2 wrap-anywhere">
          {nameOf(row)}
        </span>
      ),
      card: 'title',
    },
    {
      id: 'published',
      header: t('simulation.side.published'),
      align: 'end',
      cell: ({ published }) => formatNumber(published),
    },
    {
      id: 'draft',
      header: t('simulation.side.draft'),
      align: 'end',
      cell: ({ draft }) => formatNumber(draft),
    },
    {
      id: 'difference',
      header: t('simulation.difference'),
      align: 'end',
      cell: ({ draft, published }) => signed(draft - published),
    },
  ];
}

/** Which messages more, and which fewer. */
export function SimulationMessages({ simulation }: { simulation: Simulation }) {
  const locale = useLocale();
  const columns = useMemo(() => columnsOf(locale), [locale]);
  if (simulation.messages.length === 0) return null;
  return (
    <section className="grid gap-2" aria-label={t('simulation.messages')}>
      <h2 className="font-semibold">{t('simulation.messages')}</h2>
      <DataTable
        label={t('simulation.messages')}
        columns={columns}
        rows={simulation.messages}
        rowId={({ templateId, text }) => templateId ?? text ?? ''}
        rowName={nameOf}
        status="ready"
        empty={null}
      />
    </section>
  );
}

export function SimulationLimits({ simulation }: { simulation: Simulation }) {
  const { calls, missing } = simulation;
  return (
    <section className="text-sm text-muted">
      <h2 className="font-medium text-text">{t('simulation.limits')}</h2>
      <ul className="list-disc pl-5">
        <li>{t('simulation.limit.today')}</li>
        <li>{t('simulation.limit.replies')}</li>
        <li>{t('simulation.limit.guards')}</li>
        {calls > 0 ? <li>{t('simulation.limit.calls')}</li> : null}
        {missing > 0 ? <li>{t('simulation.limit.missing', { n: missing })}</li> : null}
      </ul>
    </section>
  );
}
