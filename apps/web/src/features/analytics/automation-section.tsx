import { isReportWord } from '@app/domain/analytics/report-filter';
import { useQuery } from '@tanstack/react-query';
import { Bot, CircleCheck, UserRound } from 'lucide-react';
import { formatRate, formatShare } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { reportOptions, type AnalyticsSearch, type ShowPeople } from './analytics-queries.ts';
import { Asked } from './report-sections.tsx';
import { CountedPeople, PressedFigure } from './figure-cards.tsx';
import { handoffWords } from './reason-words.ts';
import { TablePanel } from './table-panel.tsx';

/** The column of a table of workflows, and whose people it counts. */
const RUNS = {
  runs: 'runs',
  contacts: 'runs',
  completed: 'runsCompleted',
  failed: 'runsFailed',
  cancelled: 'runsCancelled',
} as const;

/** What the bot solved alone, and how workflows ended. */
export function AutomationSection({
  search,
  onShowPeople,
}: {
  search: AnalyticsSearch;
  onShowPeople: ShowPeople;
}) {
  const query = useQuery(reportOptions(search).automation);
  useMessages('chatbot');
  const { data } = query;
  const bot = data?.bot;
  return (
    <Asked query={query}>
      <SummaryCards label={t('analytics.section.automation')}>
        <SummaryCard
          label={t('analytics.bot.conversations')}
          icon={<Bot />}
          value={
            bot && (
              <CountedPeople
                label={t('analytics.bot.conversations')}
                value={bot.conversations}
                onPress={onShowPeople && (() => onShowPeople('botTalks'))}
              />
            )
          }
        />
        <SummaryCard
          label={t('analytics.bot.solved')}
          icon={<CircleCheck />}
          value={
            bot && (
              <PressedFigure
                label={t('analytics.people.showOf', { label: t('analytics.bot.solved') })}
                onPress={onShowPeople && bot.solved > 0 ? () => onShowPeople('botSolved') : undefined}
              >
                {formatShare(bot.solved, bot.conversations)}
              </PressedFigure>
            )
          }
          note={bot && t('analytics.bot.solvedNote', { n: bot.solved })}
        />
        <SummaryCard
          label={t('analytics.bot.handedOver')}
          icon={<UserRound />}
          value={
            bot && (
              <CountedPeople
                label={t('analytics.bot.handedOver')}
                value={bot.conversations - bot.solved}
                onPress={onShowPeople && (() => onShowPeople('handedOver'))}
              />
            )
          }
        />
      </SummaryCards>
      <TablePanel
        empty={t('analytics.bot.none')}
        onPress={(at) => {
          const reason = bot?.handoffs[at]?.reason;
          if (!onShowPeople || reason === undefined || !isReportWord(reason)) return undefined;
          return () => onShowPeople('handedOver', { reason });
        }}
        table={{
          title: t('analytics.bot.reasons'),
          labelHeader: t('analytics.failures.reason'),
          series: [{ key: 'conversations', label: t('analytics.bot.conversations'), color: 1 }],
          points: bot?.handoffs.map(({ reason, conversations }) => ({
            label: handoffWords(reason),
            values: { conversations },
          })),
        }}
      />
      <TablePanel
        purpose={t('analytics.workflows.unit')}
        empty={t('analytics.workflows.none')}
        onPress={(at, key) => {
          const one = data?.workflows[at];
          const metric = Object.entries(RUNS).find(([name]) => name === key)?.[1];
          if (!onShowPeople || !one || metric === undefined || one.contacts === 0) return undefined;
          if ((key === 'completed' || key === 'failed' || key === 'cancelled') && one[key] === 0)
            return undefined;
          return () => onShowPeople(metric, { flowId: one.id });
        }}
        formats={{ rate: (value) => formatRate(value, 100) }}
        table={{
          title: t('analytics.workflows.title'),
          labelHeader: t('analytics.workflows.workflow'),
          series: [
            { key: 'runs', label: t('analytics.workflows.runs'), color: 1 },
            { key: 'contacts', label: t('analytics.audience.unit'), color: 1 },
            { key: 'completed', label: t('analytics.workflows.completed'), color: 1 },
            { key: 'failed', label: t('analytics.failed'), color: 1 },
            { key: 'cancelled', label: t('analytics.workflows.cancelled'), color: 1 },
            { key: 'rate', label: t('analytics.workflows.rate'), color: 1 },
          ],
          points: data?.workflows.map(({ name, completed, failed, cancelled, contacts }) => ({
            label: name,
            values: {
              ...{ runs: completed + failed + cancelled, contacts, completed, failed, cancelled },
              ...(completed + failed > 0 && { rate: (completed / (completed + failed)) * 100 }),
            },
          })),
        }}
      />
    </Asked>
  );
}
