import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Bot, CheckCheck, MessageCircleQuestion, MessagesSquare, Plus, UserRound } from 'lucide-react';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatNumber, formatRate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { readChatbotSearch } from './chatbot-queries.ts';

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
          value={data && (data.conversations === 0 ? '–' : formatRate(data.solved, data.conversations))}
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
      <Panel title={t('chatbot.unanswered')} purpose={t('chatbot.unansweredText')}>
        <Questions rows={data?.unanswered} />
      </Panel>
    </>
  );
}

/** Each with its figure and its part of all. */
function Shares({ rows }: { rows: readonly { label: string; n: number }[] | undefined }) {
  if (!rows) return <Waiting />;
  if (rows.length === 0) return <p className="py-4 text-muted">{t('chatbot.nothingYet')}</p>;
  const all = rows.reduce((sum, { n }) => sum + n, 0);
  return (
    <ul className="flex flex-col gap-2.5">
      {rows.map(({ label, n }) => (
        <li key={label}>
          <p className="flex justify-between gap-3">
            <span>{label}</span>
            <span className="text-muted tabular-nums">
              {formatNumber(n)} · {formatRate(n, all)}
            </span>
          </p>
          <div aria-hidden className="mt-1 h-2 overflow-hidden rounded-full bg-sunken">
            <div className="h-full rounded-full bg-primary" style={{ width: `${(n / all) * 100}%` }} />
          </div>
        </li>
      ))}
    </ul>
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

function Waiting() {
  return (
    <SkeletonRegion className="flex flex-col gap-3">
      <Skeleton className="w-3/4" />
      <Skeleton className="w-1/2" />
    </SkeletonRegion>
  );
}
