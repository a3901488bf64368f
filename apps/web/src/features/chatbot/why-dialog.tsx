import { useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDateTime, formatMoney, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Drawer } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import type { BotAnswer } from './chatbot-queries.ts';

/** What is older is looked up over the API. */
const MOST_ANSWERS = 50;

/** Each answer of the bot in a conversation, and what made it say that. */
export function WhyDialog({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
  const { data, error, isError, refetch } = useQuery(
    orpc.chatbot.listAnswers.queryOptions({ input: { conversationId, limit: MOST_ANSWERS } }),
  );
  return (
    <Drawer
      open
      size="medium"
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={t('chatbot.why')}
      description={t('chatbot.whyText')}
    >
      {data ? (
        data.items.length === 0 ? (
          <EmptyState icon={<Bot />} title={t('chatbot.whyNone')} />
        ) : (
          <ol className="flex flex-col gap-3">
            {data.items.map((answer) => (
              <Answer key={answer.messageId} answer={answer} />
            ))}
          </ol>
        )
      ) : isError ? (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-3">
          <Skeleton className="h-24" />
          <Skeleton className="h-24" />
        </SkeletonRegion>
      )}
    </Drawer>
  );
}

function Answer({ answer }: { answer: BotAnswer }) {
  const { question, answers, rule, keyword, intent, confidence, handoff, model, decidedAt } = answer;
  return (
    <li className="rounded-card border border-border p-3">
      <div className="flex flex-wrap items-center gap-1.5">
        <Badge tone={handoff ? 'warning' : 'primary'}>{t(`chatbot.rule.${rule}`)}</Badge>
        <time dateTime={decidedAt} className="ml-auto text-sm text-muted">
          {formatDateTime(decidedAt)}
        </time>
      </div>
      <p className="mt-2 text-pretty">{reasonOf(answer)}</p>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm [&_dt]:text-muted">
        <dt>{t('chatbot.question')}</dt>
        <dd dir="auto" className="wrap-anywhere">
          {question === '' ? t('chatbot.noWords') : question}
        </dd>
        {answers.map(({ messageId, text }) => (
          <div key={messageId} className="contents">
            <dt>{t('chatbot.answer')}</dt>
            <dd dir="auto" className="whitespace-pre-line wrap-anywhere">
              {text}
            </dd>
          </div>
        ))}
        {keyword ? (
          <>
            <dt>{t('chatbot.keyword')}</dt>
            <dd dir="auto">{keyword}</dd>
          </>
        ) : null}
        {intent ? (
          <>
            <dt>{t('chatbot.intent')}</dt>
            <dd>
              <code className="font-mono">{intent}</code>
            </dd>
          </>
        ) : null}
        {confidence === null ? null : (
          <>
            <dt>{t('chatbot.confidence')}</dt>
            <dd className="tabular-nums">{formatNumber(Math.round(confidence * 100) / 100)}</dd>
          </>
        )}
        {model ? <ModelPart model={model} /> : null}
        {handoff ? (
          <>
            <dt>{t('chatbot.handoff')}</dt>
            <dd>{t(`chatbot.reason.${handoff}`)}</dd>
          </>
        ) : null}
      </dl>
    </li>
  );
}

/** What the model said, from what, and what that took. */
function ModelPart({ model }: { model: NonNullable<BotAnswer['model']> }) {
  const { name, promptVersion, confidence, doubt, problem, sources, entities, cost } = model;
  return (
    <>
      <dt>{t('chatbot.ai.model')}</dt>
      <dd>
        <code className="font-mono wrap-anywhere">{name}</code>{' '}
        {t('chatbot.model.prompt', { n: promptVersion })}
        {problem ? (
          <p>
            {t(problem === 'interrupted' ? 'chatbot.model.interrupted' : `chatbot.ai.problem.${problem}`)}
          </p>
        ) : confidence === null ? null : (
          <p>{t('chatbot.model.sure', { n: Math.round(confidence * 100) / 100 })}</p>
        )}
        {doubt ? <p>{t(`chatbot.model.doubt.${doubt}`)}</p> : null}
      </dd>
      {sources.length > 0 ? (
        <>
          <dt>{t('chatbot.model.sources')}</dt>
          <dd>
            <ul>
              {sources.map(({ id, title }) => (
                <li key={id} dir="auto" className="wrap-anywhere">
                  {title}
                </li>
              ))}
            </ul>
          </dd>
        </>
      ) : null}
      {entities.length > 0 ? (
        <>
          <dt>{t('chatbot.model.entities')}</dt>
          <dd dir="auto" className="wrap-anywhere">
            {entities.map(({ name: label, value }) => `${label}: ${value}`).join(', ')}
          </dd>
        </>
      ) : null}
      <dt>{t('chatbot.model.took')}</dt>
      <dd className="tabular-nums">
        {t('chatbot.model.figures', { tokens: model.inputTokens + model.outputTokens, ms: model.durationMs })}
        {cost === null ? null : <> · {formatMoney(cost / 1_000_000)}</>}
      </dd>
    </>
  );
}

/** The reason as a sentence. */
function reasonOf({ rule, flow, keyword, builtIn }: BotAnswer): string {
  if (rule === 'flow') return t('chatbot.because.flow', { name: flow?.name ?? '', keyword: keyword ?? '' });
  if (rule === 'built_in')
    return t('chatbot.because.built_in', { rule: builtIn ?? '', keyword: keyword ?? '' });
  if (rule === 'handoff')
    return keyword === null ? t('chatbot.because.length') : t('chatbot.because.handoff', { keyword });
  if (rule === 'run') return t('chatbot.because.run', { name: flow?.name ?? '' });
  return t(`chatbot.because.${rule}`);
}
