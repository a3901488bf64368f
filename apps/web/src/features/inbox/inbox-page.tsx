import { useNavigate, useParams } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can, useSession } from '../../shared/session.ts';
import { savesData } from '../../shared/offline/saves-data.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { classNames } from '../../ui/class-names.ts';
import { afterPaint } from '../../ui/after-paint.ts';
import { lazyPart } from '../../ui/load-file.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ConversationList, keepFilters } from './conversation-list.tsx';
import { readInboxSearch } from './inbox-search.ts';
import { ChatPlace } from '../chat/chat-skeleton.tsx';

const loadPane = () => import('./conversation-pane.tsx');
const ConversationPane = lazyPart(async () => (await loadPane()).ConversationPane);

const NewChatDialog = lazyDialog(async () => (await import('../new-chat/new-chat-dialog.tsx')).NewChatDialog);

const InboxSettingsDialog = lazyDialog(
  async () => (await import('../teamwork/settings-dialog.tsx')).InboxSettingsDialog,
);

/** List, chat and contact beside each other; on a telephone each is a screen of its own. */
export function InboxPage() {
  const { conversationId } = useParams({ strict: false });
  const [{ dialog, panel }, setUrl] = useUrlState(readInboxSearch);
  const navigate = useNavigate();
  useSession();
  useEffect(() => {
    document.title = `${t('inbox.title')} · WhatsApp Marketing Pro`;
  }, []);
  useEffect(loadPaneSoon, []);
  return (
    <div className="flex h-full min-h-0">
      <section
        aria-label={t('inbox.list')}
        className={classNames(
          'flex w-full min-w-0 flex-col border-r border-border bg-raised md:w-80 md:shrink-0 2xl:w-96',
          // The contact stands beside the chat, which keeps its room.
          !(conversationId && panel === 'contact') && 'xl:w-96',
          conversationId && 'max-md:hidden',
        )}
      >
        <ConversationList openId={conversationId} />
      </section>
      <section
        aria-label={t('inbox.chat')}
        data-whole-screen={conversationId ? '' : undefined}
        className={classNames('flex min-w-0 flex-1 flex-col', !conversationId && 'max-md:hidden')}
      >
        {conversationId ? (
          <Suspense fallback={<ChatPlace />}>
            <ConversationPane
              key={conversationId}
              conversationId={conversationId}
              onBack={() => void navigate({ to: paths.inbox, search: keepFilters })}
            />
          </Suspense>
        ) : (
          <EmptyState
            icon={<MessagesSquare />}
            title={t('inbox.noneOpen')}
            text={t('inbox.noneOpenText')}
            className="flex-1"
          />
        )}
      </section>
      <Suspense>
        {dialog === 'settings' && can('messages:manage') ? (
          <InboxSettingsDialog onClose={() => setUrl({ dialog: undefined })} />
        ) : null}
        {dialog === 'new-chat' ? <NewChatDialog onClose={() => setUrl({ dialog: undefined })} /> : null}
      </Suspense>
    </div>
  );
}

/** The list is painted first; a press on a conversation then opens it at once. */
function loadPaneSoon(): (() => void) | undefined {
  if (savesData() || !navigator.onLine) return undefined;
  return afterPaint(() => {
    // A user who opens a conversation loads it again, and is told what is wrong.
    loadPane().catch(() => undefined);
  });
}
