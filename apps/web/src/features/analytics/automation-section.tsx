import { handoffReasons } from '@app/domain/chatbot/bot-state';
import { useQuery } from '@tanstack/react-query';
import { Bot, CircleCheck, UserRound } from 'lucide-react';
import { formatRate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { reportOptions, type AnalyticsSearch } from './analytics-queries.ts';
import { Asked } from './report-sections.tsx';
import { TablePanel } from './table-panel.tsx';

/** What the bot solved alone, and how workflows ended. */
export function AutomationSection({ search }: { search: AnalyticsSearch }) {
  const query = useQuery(reportOptions(search).automation);
  const hasWords = useMessages('chatbot');
  const { data } = query;
  const bot = data?.bot;
  const reasonOf = (reason: string) => {
    const known = handoffReasons.find((one) => one === reason);
    return known && hasWords ? t(`chatbot.reason.${known}`) : reason;
  };
  return (
    <Asked query={query}>
      <SummaryCards label={t('analytics.section.automation')}>
        <SummaryCard label={t('analytics.bot.conversations')} icon={<Bot />} value={bot?.conversations} />
        <SummaryCard
          label={t('analytics.bot.solved')}
          icon={<CircleCheck />}
          value={bot && formatRate(bot.solved, bot.conversations)}
          note={bot && t('analytics.bot.solvedNote', { n: bot.solved })}
        />
        <SummaryCard
          label={t('analytics.bot.handedOver')}
          icon={<UserRound />}
          value={bot && bot.conversations - bot.solved}
        />
      </SummaryCards>
      <TablePanel
        empty={t('analytics.bot.none')}
        table={{
          title: t('analytics.bot.reasons'),
          labelHeader: t('analytics.failures.reason'),
          series: [{ key: 'conversations', label: t('analytics.bot.conversations'), color: 1 }],
          points: bot?.handoffs.map(({ reason, conversations }) => ({
            label: reasonOf(reason),
            values: { conversations },
          })),
        }}
      />
      <TablePanel
        purpose={t('analytics.workflows.unit')}
        empty={t('analytics.workflows.none')}
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
