import { useQuery } from '@tanstack/react-query';
import { Images, Search } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import { conversationOptions } from '../../shared/conversations/conversations-queries.ts';
import { readText, useUrlState } from '../../shared/url-state.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { lazyDetail, lazyPart } from '../../ui/load-file.ts';
import { ChatSkeleton } from './chat-skeleton.tsx';
import { useLightbox } from './lightbox-store.ts';
import { MessageList } from './message-list.tsx';
import type { Message } from './timeline-window.ts';

const HandoffCard = lazyDetail(async () => (await import('./handoff/handoff-card.tsx')).HandoffCard);
const Lightbox = lazyPart(async () => (await import('./lightbox.tsx')).Lightbox);
const GallerySheet = lazyDialog(async () => (await import('./gallery-sheet.tsx')).GallerySheet);
const SearchWithin = lazyPart(async () => (await import('./search-within.tsx')).SearchWithin);
const DetailsDialog = lazyDialog(async () => (await import('./details-dialog.tsx')).DetailsDialog);

/** What was said in a conversation. */
export function ChatPane({ conversationId }: { conversationId: string }) {
  return <Chat key={conversationId} conversationId={conversationId} />;
}

function Chat({ conversationId }: { conversationId: string }) {
  const { data: conversation } = useQuery(conversationOptions(conversationId));
  const [{ message: wanted }, setUrl] = useUrlState(readChatSearch);
  const [asked, setAsked] = useState<{ id: string; count: number } | null>(null);
  const [find, setFind] = useState('');
  const [isSearching, setIsSearching] = useState(false);
  const [isGallery, setIsGallery] = useState(false);
  const [details, setDetails] = useState<Message | null>(null);
  const lightbox = useLightbox();
  useConversationCommand(conversationId, 'searchWithin', () => setIsSearching(true));
  const jumpTo = (id: string) => setAsked((before) => ({ id, count: (before?.count ?? 0) + 1 }));
  const jump = asked ?? (wanted === '' ? null : { id: wanted, count: 0 });

  if (!conversation) return <ChatSkeleton />;
  return (
    <>
      <Suspense>
        {isSearching ? (
          <SearchWithin
            conversation={conversation}
            onFind={setFind}
            onJump={jumpTo}
            onGallery={() => setIsGallery(true)}
            onClose={() => {
              setIsSearching(false);
              setFind('');
              if (wanted !== '') setUrl({ message: undefined });
            }}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {conversation.bot === 'waiting' ? <HandoffCard conversation={conversation} /> : null}
      </Suspense>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <MessageList
          conversation={conversation}
          jump={jump}
          find={find || undefined}
          onDetails={setDetails}
        />
        {isSearching ? null : (
          <div className="absolute end-4 top-2 layer-sticky flex rounded-full border border-border bg-raised shadow-xs">
            <IconButton
              size="small"
              className="rounded-full"
              label={t('chat.search')}
              onClick={() => setIsSearching(true)}
            >
              <Search aria-hidden />
            </IconButton>
            <IconButton
              size="small"
              className="rounded-full"
              label={t('chat.gallery')}
              onClick={() => setIsGallery(true)}
            >
              <Images aria-hidden />
            </IconButton>
          </div>
        )}
      </div>
      <Suspense>
        {isGallery ? (
          <GallerySheet conversation={conversation} onJump={jumpTo} onClose={() => setIsGallery(false)} />
        ) : null}
      </Suspense>
      <Suspense>
        {details ? <DetailsDialog message={details} onClose={() => setDetails(null)} /> : null}
      </Suspense>
      <Suspense>
        {lightbox ? <Lightbox entry={lightbox} conversationId={conversationId} onJump={jumpTo} /> : null}
      </Suspense>
    </>
  );
}

function readChatSearch(search: Record<string, unknown>) {
  return { message: readText(search, 'message') };
}
