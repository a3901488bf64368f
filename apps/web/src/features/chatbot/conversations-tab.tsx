import { botStatuses } from '@app/domain/chatbot/bot-state';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Bot, MessagesSquare } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { savesData } from '../../shared/offline/saves-data.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { afterPaint } from '../../ui/after-paint.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { lazyPart } from '../../ui/load-file.ts';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import type { RowElsewhere } from '../inbox/conversation-row.tsx';
import { ConversationRows } from '../inbox/conversation-rows.tsx';
import { ChatPlace } from '../chat/chat-skeleton.tsx';
import { botConversationsOptions, readChatbotSearch } from './chatbot-queries.ts';
import { conversationTime } from './conversation-time.ts';

const loadChat = () => import('./bot-chat.tsx');
const BotChat = lazyPart(async () => (await loadChat()).BotChat);

const here: RowElsewhere = {
  place: (id) => ({ to: paths.chatbot, search: (before) => ({ ...before, conversation: id }) }),
  time: (at) => conversationTime(at),
};

/** Those in which the bot has a part, beside the one that is open; on a telephone each is a screen of its own. */
export function ConversationsTab() {
  const [{ conversation, status }, setUrl] = useUrlState(readChatbotSearch);
  useEffect(loadChatSoon, []);
  return (
    <div className="flex h-[calc(100dvh-300px)] min-h-96 overflow-hidden rounded-card border border-border bg-raised">
      <section
        aria-label={t('chatbot.conversations')}
        className={classNames(
          'flex w-full min-w-0 flex-col border-r border-border md:w-80 md:shrink-0',
          conversation && 'max-md:hidden',
        )}
      >
        <div className="border-b border-border p-3">
          <FilterSelect
            label={t('chatbot.status')}
            value={status}
            onChange={(next) => setUrl({ status: next === '' ? undefined : next })}
            options={[
              { value: '', label: t('chatbot.status.all') },
              ...botStatuses.map((value) => ({ value, label: t(`chatbot.status.${value}`) })),
            ]}
          />
        </div>
        <List openId={conversation} />
      </section>
      <section
        aria-label={t('chatbot.chat')}
        className={classNames('flex min-w-0 flex-1 flex-col bg-surface', !conversation && 'max-md:hidden')}
      >
        {conversation ? (
          <Suspense fallback={<ChatPlace />}>
            <BotChat
              key={conversation}
              conversationId={conversation}
              onBack={() => setUrl({ conversation: undefined })}
            />
          </Suspense>
        ) : (
          <EmptyState
            icon={<MessagesSquare />}
            title={t('chatbot.select')}
            text={t('chatbot.selectText')}
            className="flex-1"
          />
        )}
      </section>
    </div>
  );
}

function List({ openId }: { openId: string }) {
  const [{ status }, setUrl] = useUrlState(readChatbotSearch);
  const query = useInfiniteQuery(botConversationsOptions(status));
  if (query.isError && !query.data)
    return <ErrorState text={errorMessage(query.error)} onRetry={() => void query.refetch()} />;
  if (!query.data)
    return (
      <SkeletonRegion className="min-h-0 flex-1 overflow-hidden">
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex h-16 gap-3 border-b border-border px-3 py-2.5">
            <Skeleton className="size-8 rounded-full" />
            <div className="flex-1">
              <Skeleton className="w-2/5" />
              <Skeleton className="mt-2.5 h-3 w-4/5" />
            </div>
          </div>
        ))}
      </SkeletonRegion>
    );
  const rows = query.data.pages.flatMap(({ items }) => items.map(({ conversation }) => conversation));
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<Bot />}
        title={t('chatbot.none')}
        text={t(status === '' ? 'chatbot.noneText' : 'chatbot.noneOfStatus')}
        action={
          status === '' ? undefined : (
            <Button onClick={() => setUrl({ status: undefined })}>{t('chatbot.showAll')}</Button>
          )
        }
      />
    );
  return (
    <ConversationRows
      key={status}
      rows={rows}
      openId={openId}
      selected={NOTHING}
      onSelect={undefined}
      onEndReached={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      elsewhere={here}
    />
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** The list is painted first; a press on a conversation then opens it at once. */
function loadChatSoon(): (() => void) | undefined {
  if (savesData() || !navigator.onLine) return undefined;
  return afterPaint(() => {
    // A user who opens a conversation loads it again, and is told what is wrong.
    loadChat().catch(() => undefined);
  });
}
