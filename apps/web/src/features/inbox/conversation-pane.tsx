import { formatPhone } from '@app/domain/contacts/format-phone';
import { ArrowLeft, PanelRight } from 'lucide-react';
import { useChannelNames } from '../../shared/conversations/channel-names.ts';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import { LabelChip } from '../../shared/conversations/label-chip.tsx';
import {
  ConversationFailure,
  ConversationHeadSkeleton,
  useOpenConversation,
} from '../../shared/conversations/open-conversation.tsx';
import { t } from '../../shared/messages.ts';
import { ConversationViewers, TypingWarning } from '../../shared/presence/conversation-viewers.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { WordButton } from '../../ui/controls/word-button.tsx';
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
  const { data: conversation, error, isError, refetch } = useOpenConversation(conversationId);
  const togglePanel = () =>
    setUrl({ panel: panel === 'contact' ? undefined : 'contact' }, { push: panel !== 'contact' });
  useConversationCommand(conversationId, 'panel', togglePanel);

  if (!conversation && isError)
    return <ConversationFailure error={error} onBack={onBack} onRetry={() => void refetch()} />;
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
                  <ThroughChannel channelId={conversation.channelId} />
                  {conversation.labels.map((name) => (
                    <LabelChip key={name} name={name} className="min-w-8 @max-3xl:hidden" />
                  ))}
                </p>
              </div>
              <ConversationViewers conversationId={conversationId} />
              <ConversationActions conversation={conversation} onLeave={onBack} />
              <WordButton
                icon={<PanelRight aria-hidden />}
                label={t('inbox.panel')}
                word={t('inbox.panel')}
                from="medium"
                aria-pressed={panel === 'contact'}
                onClick={togglePanel}
              />
            </>
          ) : (
            <ConversationHeadSkeleton />
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

/** The channel of a conversation, where there are several. */
function ThroughChannel({ channelId }: { channelId: string }) {
  const channel = useChannelNames()?.get(channelId);
  if (!channel) return null;
  return <span className="min-w-0 truncate">{t('inbox.through', { channel: channel.full })}</span>;
}
