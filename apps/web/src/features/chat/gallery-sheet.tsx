import { shownMessage } from '@app/domain/conversations/shown-message';
import { galleryShelves, type GalleryShelf } from '@app/domain/conversations/gallery';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Images } from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { useLightbox } from './lightbox-store.ts';
import { FilePart } from './parts/file-parts.tsx';
import { MarkedBlocks } from './parts/marked-blocks.tsx';
import type { Message } from './timeline-window.ts';

/** Pictures, documents, sounds and links of a conversation beside each other. */
export function GallerySheet({
  conversation,
  onJump,
  onClose,
}: {
  conversation: Conversation;
  onJump: (id: string) => void;
  onClose: () => void;
}) {
  // What closes the picture before it leaves the sheet open.
  const isLarge = useLightbox() !== null;
  const [shelf, setShelf] = useState<GalleryShelf>('media');
  const listed = useInfiniteQuery(
    orpc.conversations.listFiles.infiniteOptions({
      input: (cursor: string | undefined) => ({
        conversationId: conversation.id,
        shelf,
        limit: 30,
        ...(cursor && { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
  );
  const items = listed.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Drawer
      open
      onOpenChange={(open) => (open || isLarge ? undefined : onClose())}
      title={t('chat.gallery')}
      size="medium"
    >
      <div role="group" aria-label={t('chat.gallery.shelves')} className="mb-4 flex flex-wrap gap-1.5">
        {galleryShelves.map((one) => (
          <Button
            key={one}
            size="small"
            variant={one === shelf ? 'primary' : 'secondary'}
            aria-pressed={one === shelf}
            onClick={() => setShelf(one)}
          >
            {t(`chat.gallery.${one}`)}
          </Button>
        ))}
      </div>
      {listed.isPending ? (
        <SkeletonRegion className="grid gap-3">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} className="h-16" />
          ))}
        </SkeletonRegion>
      ) : listed.isError ? (
        <ErrorState text={errorMessage(listed.error)} onRetry={() => void listed.refetch()} />
      ) : items.length === 0 ? (
        <EmptyState icon={<Images />} title={t('chat.gallery.empty')} />
      ) : (
        <ul className={shelf === 'media' ? 'grid grid-cols-2 gap-3 sm:grid-cols-3' : 'grid gap-3'}>
          {items.map((message) => (
            <li
              key={message.id}
              className="min-w-0 rounded-card border border-border bg-bubble p-2 text-bubble-text"
            >
              <GalleryItem message={message} />
              <button
                type="button"
                className="mt-1 min-h-6 text-xs text-bubble-link underline-offset-2 hover:underline"
                onClick={() => {
                  onClose();
                  onJump(message.id);
                }}
              >
                {t('chat.gallery.show', { day: formatDate(message.at) })}
              </button>
            </li>
          ))}
        </ul>
      )}
      {listed.hasNextPage ? (
        <p className="mt-4 flex justify-center">
          <Button loading={listed.isFetchingNextPage} onClick={() => void listed.fetchNextPage()}>
            {t('chat.loadOlder')}
          </Button>
        </p>
      ) : null}
    </Drawer>
  );
}

function GalleryItem({ message }: { message: Message }) {
  const shown = shownMessage({ ...message, components: null });
  if (shown.kind === 'media')
    return <FilePart shown={shown} file={message.files[0] ?? null} messageId={message.id} />;
  return (
    <div className="line-clamp-4">
      <MarkedBlocks text={message.text ?? ''} />
    </div>
  );
}
