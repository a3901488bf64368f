import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { ChevronLeft, ChevronRight, Download, MessageSquare, X } from 'lucide-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { backdropStyle } from '../../ui/overlays/popup-props.ts';
import { closeLightbox, openLightbox, type LightboxEntry } from './lightbox-store.ts';
import { contentOf, downloadOf } from '../../shared/conversations/file-addresses.ts';

/** One picture or video as large as the window; arrows go to the others of the conversation. */
export function Lightbox({
  entry,
  conversationId,
  onJump,
}: {
  entry: LightboxEntry;
  conversationId: string;
  onJump: (id: string) => void;
}) {
  const { file, messageId, caption } = entry;
  const [isLarge, setIsLarge] = useState(false);
  const listed = useInfiniteQuery(
    orpc.conversations.listFiles.infiniteOptions({
      input: (cursor: string | undefined) => ({
        conversationId,
        shelf: 'media' as const,
        limit: 30,
        ...(cursor && { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
  );
  const entries = (listed.data?.pages.flatMap((page) => page.items) ?? []).flatMap(
    (message): LightboxEntry[] =>
      message.files
        .filter(({ state }) => state === 'stored')
        .map((one) => ({ messageId: message.id, file: one, caption: message.text ?? '' })),
  );
  const at = entries.findIndex((one) => one.file.id === file.id);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = listed;
  const mayReadOn = hasNextPage && !isFetching && !isFetchNextPageError;
  const isNearEnd = mayReadOn && (at === -1 || at >= entries.length - 2);
  useEffect(() => {
    if (isNearEnd) void fetchNextPage();
  }, [isNearEnd, fetchNextPage]);
  const older = at === -1 ? undefined : entries[at + 1];
  const newer = at === -1 ? undefined : entries[at - 1];
  const show = (next: LightboxEntry | undefined) => {
    if (!next) return;
    setIsLarge(false);
    openLightbox(next, null);
  };
  return (
    <BaseDialog.Root open onOpenChange={(open) => (open ? undefined : closeLightbox())}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop forceRender className={`${backdropStyle} bg-black/85!`} />
        <BaseDialog.Viewport className="fixed inset-0 layer-dialog">
          <BaseDialog.Popup
            className="flex h-dvh w-full flex-col text-white outline-none"
            onKeyDown={(event) => {
              if (event.target instanceof HTMLVideoElement) return;
              if (event.key === 'ArrowLeft') show(older);
              if (event.key === 'ArrowRight') show(newer);
            }}
          >
            <div className="flex items-center gap-2 p-2">
              <BaseDialog.Title className="min-w-0 flex-1 truncate px-2">
                <bdi>
                  {caption ||
                    file.name ||
                    t(file.kind === 'video' ? 'conversations.line.video' : 'conversations.line.image')}
                </bdi>
              </BaseDialog.Title>
              <IconButton
                className="text-white"
                label={t('chat.showInChat')}
                onClick={() => {
                  closeLightbox();
                  onJump(messageId);
                }}
              >
                <MessageSquare aria-hidden />
              </IconButton>
              <a
                className="grid size-9 place-items-center rounded-card text-white"
                href={downloadOf(file)}
                download
                aria-label={t('chat.download')}
              >
                <Download aria-hidden className="size-4" />
              </a>
              <IconButton className="text-white" label={t('common.close')} onClick={closeLightbox}>
                <X aria-hidden />
              </IconButton>
            </div>
            <div className="relative flex min-h-0 flex-1 items-center justify-center overflow-auto p-2">
              {file.kind === 'video' ? (
                <video
                  key={file.id}
                  src={contentOf(file)}
                  controls
                  autoPlay
                  className="max-h-full max-w-full"
                >
                  <track kind="captions" />
                </video>
              ) : (
                <button
                  type="button"
                  aria-label={isLarge ? t('chat.smaller') : t('chat.larger')}
                  onClick={() => setIsLarge(!isLarge)}
                  className={
                    isLarge ? 'm-auto cursor-zoom-out' : 'flex h-full max-w-full cursor-zoom-in items-center'
                  }
                >
                  <img
                    src={contentOf(file)}
                    alt={caption}
                    className={isLarge ? 'max-w-none' : 'max-h-full max-w-full object-contain'}
                  />
                </button>
              )}
            </div>
            <div className="flex justify-center gap-4 p-2">
              <IconButton
                className="text-white"
                label={t('chat.older')}
                disabled={!older}
                onClick={() => show(older)}
              >
                <ChevronLeft aria-hidden />
              </IconButton>
              <IconButton
                className="text-white"
                label={t('chat.newer')}
                disabled={!newer}
                onClick={() => show(newer)}
              >
                <ChevronRight aria-hidden />
              </IconButton>
            </div>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
