import { botStatuses, type BotStatus } from '@app/domain/chatbot/bot-state';
import { formatPhone } from '@app/domain/contacts/format-phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, CircleHelp, Hand, Undo2 } from 'lucide-react';
import { Suspense } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import {
  ConversationFailure,
  ConversationHeadSkeleton,
  useOpenConversation,
} from '../../shared/conversations/open-conversation.tsx';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { notify } from '../../ui/toast.ts';
import { ChatPane } from '../chat/chat-pane.tsx';
import { Composer } from '../composer/composer.tsx';
import { botPartOptions, readChatbotSearch } from './chatbot-queries.ts';

const WhyDialog = lazyDialog(async () => (await import('./why-dialog.tsx')).WhyDialog);

/** One conversation of the bot: where it stands with it, what was said, and where an agent writes between its messages. */
export function BotChat({ conversationId, onBack }: { conversationId: string; onBack: () => void }) {
  const [{ dialog }, setUrl] = useUrlState(readChatbotSearch);
  const { data: conversation, error, isError, refetch } = useOpenConversation(conversationId);
  const { data: part } = useQuery(botPartOptions(conversationId));

  if (!conversation && isError)
    return <ConversationFailure error={error} onBack={onBack} onRetry={() => void refetch()} />;
  const bot = part?.bot ?? null;
  return (
    <div className="isolate flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-b border-border bg-raised px-3 py-2">
        <IconButton className="md:hidden" label={t('inbox.backToList')} onClick={onBack}>
          <ArrowLeft aria-hidden />
        </IconButton>
        {conversation ? (
          <>
            <Avatar name={conversation.contact.name} className="max-sm:hidden" />
            <div className="min-w-0 flex-1 basis-32">
              <h2 className="truncate leading-5 font-semibold">
                <bdi>{conversation.contact.name}</bdi>
              </h2>
              <p className="truncate text-sm text-muted">
                {bot?.reason && !bot.handoff
                  ? t(`chatbot.reason.${bot.reason}`)
                  : conversation.contact.phone
                    ? formatPhone(conversation.contact.phone)
                    : t('inbox.hiddenNumber')}
              </p>
            </div>
            <IconButton label={t('chatbot.why')} onClick={() => setUrl({ dialog: 'why' }, { push: true })}>
              <CircleHelp aria-hidden />
            </IconButton>
            <StatusChoice
              conversationId={conversationId}
              status={bot?.status ?? null}
              hasCard={Boolean(bot?.handoff)}
            />
          </>
        ) : (
          <ConversationHeadSkeleton />
        )}
      </header>
      <ChatPane conversationId={conversationId} />
      {conversation ? <Composer conversation={conversation} /> : null}
      {dialog === 'why' ? (
        <Suspense>
          <WhyDialog conversationId={conversationId} onClose={() => setUrl({ dialog: undefined })} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The selector of the status, and the one press that people need most beside it. */
function StatusChoice({
  conversationId,
  status,
  hasCard,
}: {
  conversationId: string;
  status: BotStatus | null;
  /** The card of the handoff has the press that hands it back. */
  hasCard: boolean;
}) {
  const queryClient = useQueryClient();
  const set = useAction(orpc.chatbot.setStatus.mutationOptions());
  const mayChange = can('messages:update');
  if (status === null) return null;

  async function change(next: BotStatus) {
    try {
      const saved = await set.mutateAsync({ conversationId, status: next });
      queryClient.setQueryData(botPartOptions(conversationId).queryKey, saved);
      notify.success(t(`chatbot.now.${next}`));
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.chatbot.key() });
  }

  const isTaken = status === 'waiting';
  return (
    <span className="flex items-center gap-2">
      {mayChange && !hasCard ? (
        <Button
          loading={set.isPending}
          icon={isTaken ? <Undo2 aria-hidden /> : <Hand aria-hidden />}
          onClick={() => void change(isTaken ? 'active' : 'waiting')}
        >
          {t(isTaken ? 'chatbot.handBack' : 'chatbot.takeOver')}
        </Button>
      ) : null}
      <Select<BotStatus>
        label={t('chatbot.status')}
        className="w-32"
        value={status}
        disabled={!mayChange || set.isPending}
        onChange={(next) => {
          if (next !== status) void change(next);
        }}
        options={botStatuses.map((value) => ({ value, label: t(`chatbot.status.${value}`) }))}
      />
    </span>
  );
}
