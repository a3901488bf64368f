import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Bot, CheckCheck, MessageCircleQuestion, MessagesSquare, Plus, UserRound } from 'lucide-react';
import { orpc, type api } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatMoney, formatShare } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { useUrlState } from '../../../shared/url-state.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { FilterSelect } from '../../../ui/table/filter-select.tsx';
import { SummaryCard, SummaryCards } from '../../../ui/table/summary-cards.tsx';
import { readChatbotSearch } from '../chatbot-queries.ts';
import { DropOff } from './drop-off.tsx';
import { Outcomes } from './outcomes.tsx';
import { Shares, Waiting } from './shares.tsx';

type Analytics = Awaited<ReturnType<typeof api.chatbot.getAnalytics>>;

/** What the bot did within the last days, and what it could not answer. */
export function AnalyticsTab() {
  const [{ days }, setUrl] = useUrlState(readChatbotSearch);
  const { data, error, isError, refetch } = useQuery({
    ...orpc.chatbot.getAnalytics.queryOptions({ input: { days: Number(days) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex">
        <FilterSelect
          label={t('chatbot.period')}
          value={days}
          onChange={(next) => setUrl({ days: next === '30' ? undefined : next })}
          options={(['7', '30', '90'] as const).map((value) => ({
            value,
            label: t('chatbot.lastDays', { n: Number(value) }),
          }))}
        />
      </div>
      {isError && !data ? (
        <Panel>
          <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <Figures data={data} />
      )}
    </div>
  );
}

function Figures({ data }: { data: Analytics | undefined }) {
  const handedOver = data?.handoffs.reduce((sum, { n }) => sum + n, 0);
  const answered = data?.answers.reduce((sum, { n }) => sum + n, 0);
  return (
    <>
      <SummaryCards label={t('chatbot.tab.analytics')}>
        <SummaryCard
          icon={<MessagesSquare />}
          label={t('chatbot.tab.conversations')}
          value={data?.conversations}
        />
        <SummaryCard
          icon={<CheckCheck />}
          label={t('chatbot.solved')}
          value={data && formatShare(data.solved, data.conversations)}
          note={t('chatbot.solvedHint')}
        />
        <SummaryCard icon={<UserRound />} label={t('chatbot.figure.handoffs')} value={handedOver} />
        <SummaryCard icon={<Bot />} label={t('chatbot.answering')} value={answered} />
      </SummaryCards>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Panel title={t('chatbot.byRule')}>
          <Shares rows={data?.answers.map(({ rule, n }) => ({ label: t(`chatbot.rule.${rule}`), n }))} />
        </Panel>
        <Panel title={t('chatbot.byReason')}>
          <Shares
            rows={data?.handoffs.map(({ reason, n }) => ({ label: t(`chatbot.reason.${reason}`), n }))}
          />
        </Panel>
      </div>
      <Panel title={t('chatbot.dropOff')} purpose={t('chatbot.dropOffText')}>
        <DropOff flows={data?.flows} />
      </Panel>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Panel title={t('chatbot.outcomes')} purpose={t('chatbot.outcomesText')}>
          <Outcomes rows={data?.outcomes} />
        </Panel>
        <Panel title={t('chatbot.speedAndCost')}>
          <SpeedAndCost data={data} />
        </Panel>
      </div>
      <Panel title={t('chatbot.unanswered')} purpose={t('chatbot.unansweredText')}>
        <Questions rows={data?.unanswered} />
      </Panel>
    </>
  );
}

function SpeedAndCost({ data }: { data: Analytics | undefined }) {
  if (!data) return <Waiting />;
  const { times, costs } = data;
  const seconds = (ms: number | null) =>
    ms === null ? '–' : t('chatbot.seconds', { n: Math.round(ms / 100) / 10 });
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2">
      <dt>{t('chatbot.medianTime')}</dt>
      <dd className="text-end tabular-nums">{seconds(times.medianMs)}</dd>
      <dt>{t('chatbot.slowestTime')}</dt>
      <dd className="text-end tabular-nums">{seconds(times.slowestMs)}</dd>
      {costs.map(({ purpose, calls, tokens, cost }) => (
        <div key={purpose} className="contents">
          <dt>
            {t(`chatbot.purpose.${purpose}`)}
            <span className="block text-sm text-muted">{t('chatbot.callsAndTokens', { calls, tokens })}</span>
          </dt>
          <dd className="text-end tabular-nums">
            {cost === null ? t('chatbot.noPrice') : formatMoney(cost / 1_000_000)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Questions({ rows }: { rows: Analytics['unanswered'] | undefined }) {
  const [, setUrl] = useUrlState(readChatbotSearch);
  if (!rows) return <Waiting />;
  if (rows.length === 0)
    return <EmptyState icon={<MessageCircleQuestion />} title={t('chatbot.noUnanswered')} />;
  return (
    <ul className="divide-y divide-border">
      {rows.map(({ question, n }) => (
        <li key={question} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
          <span dir="auto" className="min-w-0 flex-1 basis-40 wrap-anywhere">
            {question}
          </span>
          <span className="text-sm text-muted tabular-nums">{t('chatbot.times', { n })}</span>
          {can('campaigns:create') ? (
            <Button
              size="small"
              icon={<Plus aria-hidden />}
              onClick={() =>
                setUrl(
                  { tab: 'settings', dialog: 'knowledge', words: question, days: undefined },
                  { push: true },
                )
              }
            >
              {t('chatbot.addAnswer')}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
