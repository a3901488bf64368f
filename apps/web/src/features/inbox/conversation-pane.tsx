import { formatPhone } from '@app/domain/contacts/format-phone';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, PanelRight, UserX } from 'lucide-react';
import { readFailure } from '../../shared/api.ts';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import { LabelChip } from '../../shared/conversations/label-chip.tsx';
import { conversationOptions } from '../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { ConversationViewers, TypingWarning } from '../../shared/presence/conversation-viewers.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { useTopBar } from '../../ui/use-bottom-bar.ts';
import { ChatPane } from '../chat/chat-pane.tsx';
import { Composer } from '../composer/composer.tsx';
import { ContactPanel } from '../contact-panel/contact-panel.tsx';
import { ConversationActions } from '../teamwork/conversation-actions.tsx';
import { readInboxSearch } from './inbox-search.ts';
import { SidePanel } from './side-panel.tsx';

/** One conversation: its head, what was said, where one answers, and the contact beside it. */
export function ConversationPane({ conversationId, onBack }: { conversationId: string; onBack: () => void }) {
  const head = useTopBar();
  const [{ panel }, setUrl] = useUrlState(readInboxSearch);
  const options = conversationOptions(conversationId);
  const { data: conversation, error, isError, refetch } = useQuery(options);
  useLiveQuery(['messages', 'contacts'], [options.queryKey], {
    concerns: ({ conversationIds }) =>
      !Array.isArray(conversationIds) ||
      conversationIds.length === 0 ||
      conversationIds.includes(conversationId),
  });
  const togglePanel = () =>
    setUrl({ panel: panel === 'contact' ? undefined : 'contact' }, { push: panel !== 'contact' });
  useConversationCommand(conversationId, 'panel', togglePanel);

  if (!conversation && isError) {
    const isMissing = ['conversation_not_found', 'invalid_input'].includes(readFailure(error).code);
    return isMissing ? (
      <EmptyState
        icon={<UserX />}
        title={t('inbox.gone')}
        className="flex-1"
        action={<Button onClick={onBack}>{t('inbox.backToList')}</Button>}
      />
    ) : (
      <ErrorState className="flex-1" text={errorMessage(error)} onRetry={() => void refetch()} />
    );
  }
  return (
    <div className="relative flex min-h-0 flex-1">
      <div className="isolate flex min-w-0 flex-1 flex-col">
        <header
          ref={head}
          className="@container flex min-h-14 shrink-0 items-center gap-2 border-b border-border bg-raised px-3 py-2"
        >
          <IconButton className="md:hidden" label={t('inbox.backToList')} onClick={onBack}>
            <ArrowLeft aria-hidden />
          </IconButton>
          {conversation ? (
            <>
              <Avatar name={conversation.contact.name} className="@max-sm:hidden" />
              <div className="min-w-0 flex-1">
                <h2 className="truncate leading-5 font-semibold">
                  <bdi>{conversation.contact.name}</bdi>
                </h2>
                <p className="flex h-5 min-w-0 items-center gap-1.5 overflow-hidden text-sm text-muted">
                  <span className="max-w-full shrink-0 truncate tabular-nums">
                    {conversation.contact.phone
                      ? formatPhone(conversation.contact.phone)
                      : t('inbox.hiddenNumber')}
                  </span>
                  {conversation.labels.map((name) => (
                    <LabelChip key={name} name={name} className="min-w-8 @max-md:hidden" />
                  ))}
                </p>
              </div>
              <ConversationViewers conversationId={conversationId} />
              <ConversationActions conversation={conversation} onLeave={onBack} />
              <IconButton label={t('inbox.panel')} aria-pressed={panel === 'contact'} onClick={togglePanel}>
                <PanelRight aria-hidden />
              </IconButton>
            </>
          ) : (
            <SkeletonRegion className="flex flex-1 items-center gap-3">
              <Skeleton className="size-8 rounded-full" />
              <Skeleton className="w-40" />
            </SkeletonRegion>
          )}
        </header>
        <ChatPane conversationId={conversationId} />
        <TypingWarning conversationId={conversationId} />
        {conversation ? <Composer conversation={conversation} /> : null}
      </div>
      {conversation && panel === 'contact' ? (
        <SidePanel label={t('inbox.panel')} onClose={togglePanel}>
          <ContactPanel conversation={conversation} onClose={togglePanel} />
        </SidePanel>
      ) : null}
    </div>
  );
}
