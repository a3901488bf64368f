import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import { conversationOptions } from '../../shared/conversations/conversations-queries.ts';
import { readText, useUrlState } from '../../shared/url-state.ts';
import { lazyPart } from '../../ui/load-file.ts';
import { ChatSkeleton } from './chat-skeleton.tsx';
import { useLightbox } from './lightbox-store.ts';
import { MessageList } from './message-list.tsx';
import type { Message } from './timeline-window.ts';

const Lightbox = lazyPart(async () => (await import('./lightbox.tsx')).Lightbox);
const GallerySheet = lazyPart(async () => (await import('./gallery-sheet.tsx')).GallerySheet);
const SearchWithin = lazyPart(async () => (await import('./search-within.tsx')).SearchWithin);
const DetailsDialog = lazyPart(async () => (await import('./details-dialog.tsx')).DetailsDialog);

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
  useConversationCommand('searchWithin', () => setIsSearching(true));
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
      <MessageList conversation={conversation} jump={jump} find={find || undefined} onDetails={setDetails} />
      <Suspense>
        {isGallery ? (
          <GallerySheet conversation={conversation} onJump={jumpTo} onClose={() => setIsGallery(false)} />
        ) : null}
        {details ? <DetailsDialog message={details} onClose={() => setDetails(null)} /> : null}
        {lightbox ? <Lightbox entry={lightbox} conversationId={conversationId} onJump={jumpTo} /> : null}
      </Suspense>
    </>
  );
}

function readChatSearch(search: Record<string, unknown>) {
  return { message: readText(search, 'message') };
}
