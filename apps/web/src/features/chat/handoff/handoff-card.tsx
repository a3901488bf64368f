import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bot, BotMessageSquare } from 'lucide-react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import {
  conversationOptions,
  type Conversation,
} from '../../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { Button } from '../../../ui/button.tsx';
import { notify } from '../../../ui/toast.ts';

/** What the agent has to know of a conversation that the bot handed over, above what was said. */
export function HandoffCard({ conversation: { id: conversationId } }: { conversation: Conversation }) {
  const queryClient = useQueryClient();
  const options = orpc.chatbot.getConversation.queryOptions({ input: { conversationId } });
  const { data } = useQuery(options);
  useLiveQuery(['chatbot'], [options.queryKey, conversationOptions(conversationId).queryKey], {
    concerns: ({ conversationIds }) =>
      !Array.isArray(conversationIds) || conversationIds.includes(conversationId),
  });
  const hasWords = useMessages('chatbot');
  const handBack = useAction({
    mutationFn: () => api.chatbot.setStatus({ conversationId, status: 'active' }),
    onSuccess: () => notify.success(t('chatbot.now.active')),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: options.queryKey }),
        queryClient.invalidateQueries({ queryKey: conversationOptions(conversationId).queryKey }),
      ]),
  });
  const bot = data?.bot;
  if (!bot?.handoff || bot.reason === null || !hasWords) return null;
  const { question, intent, values, text, at } = bot.handoff;
  return (
    <section
      aria-label={t('chatbot.handoffCard')}
      className="flex max-h-[35dvh] shrink-0 flex-col gap-1 overflow-y-auto border-b border-border bg-raised px-4 py-2 text-sm"
    >
      <header className="flex min-w-0 items-center gap-2">
        <Bot aria-hidden className="size-4 shrink-0 text-muted" />
        <h3 className="min-w-0 flex-1 font-medium">
          {t('chatbot.handoffFor', { reason: t(`chatbot.reason.${bot.reason}`), time: formatDateTime(at) })}
        </h3>
        {can('messages:update') ? (
          <Button
            size="small"
            icon={<BotMessageSquare aria-hidden />}
            iconOnSmall
            loading={handBack.isPending}
            onClick={() => handBack.mutate()}
          >
            {t('chatbot.handBackToBot')}
          </Button>
        ) : null}
      </header>
      {text === null ? null : (
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {text}
        </p>
      )}
      <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5 max-sm:grid-cols-1">
        {[
          ...values,
          // A summary says these in its own words.
          ...(text !== null || question === '' ? [] : [{ name: t('chatbot.lastQuestion'), value: question }]),
          ...(text !== null || intent === null ? [] : [{ name: t('chatbot.intent'), value: intent }]),
        ].map(({ name, value }) => (
          <div key={name} className="contents">
            <dt dir="auto" className="wrap-anywhere text-muted max-sm:not-first:mt-1">
              {name}
            </dt>
            <dd dir="auto" className="min-w-0 wrap-anywhere">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
