import type { ShownMessage } from '@app/domain/conversations/shown-message';
import { CircleAlert, Download, FileText, Film, ImageIcon, Music, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatBytes, formatDuration } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { FirstPicture } from '../../../shared/videos/first-picture.tsx';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { can } from '../../../shared/session.ts';
import { Button } from '../../../ui/button.tsx';
import { notify } from '../../../ui/toast.ts';
import { classNames } from '../../../ui/class-names.ts';
import { openLightbox } from '../lightbox-store.ts';
import type { Message } from '../timeline-window.ts';
import { AudioPart } from './audio-part.tsx';
import { SharedFile } from './shared-file.tsx';
import { contentOf, downloadOf, thumbnailOf } from '../../../shared/conversations/file-addresses.ts';

export type MessageFile = Message['files'][number];
type ShownMedia = Extract<ShownMessage, { kind: 'media' }>;

/** The file of a message, or why there is none. */
export function FilePart({
  shown,
  file,
  messageId,
}: {
  shown: ShownMedia;
  file: MessageFile | null;
  messageId: string;
}): ReactNode {
  if (!file && shown.shared) return <SharedFile shown={shown} shared={shown.shared} />;
  if (!file || file.state !== 'stored') return <MissingFile shown={shown} file={file} />;
  if (shown.media === 'audio') return <AudioPart file={file} isVoice={shown.isVoice} name={shown.name} />;
  if (shown.media === 'document') return <DocumentPart file={file} name={shown.name} />;
  return <PicturePart shown={shown} file={file} messageId={messageId} />;
}

/** Room for it is kept from the first drawing on, so that nothing moves when it comes. */
function PicturePart({
  shown,
  file,
  messageId,
}: {
  shown: ShownMedia;
  file: MessageFile;
  messageId: string;
}) {
  const [isBroken, setIsBroken] = useState(false);
  const isSticker = shown.media === 'sticker';
  const isVideo = shown.media === 'video';
  const source =
    isVideo || (file.hasThumbnail && !file.animated)
      ? file.hasThumbnail
        ? thumbnailOf(file)
        : null
      : contentOf(file);
  const [width, height] = [file.width ?? 4, file.height ?? 3];
  const label = t(
    `conversations.line.${isVideo ? 'video' : shown.media === 'sticker' ? 'sticker' : 'image'}`,
  );
  return (
    <button
      type="button"
      onClick={(event) => openLightbox({ messageId, file, caption: shown.caption }, event.currentTarget)}
      className={classNames(
        'relative block overflow-hidden rounded-md',
        isSticker
          ? 'size-32'
          : '-mx-1 -mt-0.5 mb-1 w-72 max-w-[calc(100%+0.5rem)] bg-black/8 dark:bg-black/25',
      )}
      style={isSticker ? undefined : { aspectRatio: `${Math.min(2.2, Math.max(0.7, width / height))}` }}
    >
      <span className="sr-only">{`${t('chat.open')}: ${shown.caption || shown.name || label}`}</span>
      {isVideo && source === null && !isBroken ? (
        <FirstPicture
          source={contentOf(file)}
          onNone={() => setIsBroken(true)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : source === null || isBroken ? (
        <span className="absolute inset-0 grid place-items-center text-bubble-muted">
          {/* A video has its sign to play there. */}
          {isVideo ? null : <ImageIcon aria-hidden className="size-8" />}
        </span>
      ) : (
        <img
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setIsBroken(true)}
          className={classNames('absolute inset-0 size-full', isSticker ? 'object-contain' : 'object-cover')}
        />
      )}
      {isVideo ? (
        <>
          <span className="absolute inset-0 grid place-items-center">
            <span className="grid size-11 place-items-center rounded-full bg-black/55 text-white">
              <Play aria-hidden className="ms-0.5 size-5 fill-current" />
            </span>
          </span>
          {file.durationMs === null ? null : (
            <span className="absolute start-1.5 bottom-1.5 rounded bg-black/60 px-1.5 text-xs text-white tabular-nums">
              {formatDuration(file.durationMs / 1000)}
            </span>
          )}
        </>
      ) : null}
    </button>
  );
}

function DocumentPart({ file, name }: { file: MessageFile; name: string }) {
  const shownName = name || file.name || t('conversations.line.document');
  return (
    <a
      href={downloadOf(file)}
      download={shownName}
      className="-mx-1 mb-1 flex min-w-52 items-center gap-2.5 rounded-md bg-black/6 px-2.5 py-2 no-underline dark:bg-black/25"
    >
      <FileText aria-hidden className="size-6 shrink-0" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{shownName}</bdi>
        <span className="block text-sm text-bubble-muted">
          {[endingOf(shownName), file.size === null ? '' : formatBytes(file.size)]
            .filter((part) => part !== '')
            .join(' · ')}
        </span>
      </span>
      <Download aria-label={t('chat.download')} className="size-4.5 shrink-0" />
    </a>
  );
}

function endingOf(name: string): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return ending?.toUpperCase() ?? '';
}

/** What is not here, and why; what may come yet can be asked for again. */
function MissingFile({ shown, file }: { shown: ShownMedia; file: MessageFile | null }) {
  const [now, setNow] = useState<MessageFile | null>(null);
  const again = useAction({
    mutationFn: (fileId: string) => api.messageFiles.fetchAgain({ fileId }),
    onSuccess: setNow,
    onError: (error) => notify.error(errorMessage(error)),
  });
  const told = file?.state ?? 'expired';
  const state = now && told !== 'waiting' ? now.state : told;
  const isComing = state === 'waiting' || state === 'fetching';
  const Icon = { image: ImageIcon, video: Film, audio: Music, document: FileText, sticker: ImageIcon }[
    shown.media
  ];
  return (
    <div className="-mx-1 mb-1 flex min-w-52 items-center gap-2.5 rounded-md bg-black/6 px-2.5 py-2.5 dark:bg-black/25">
      {isComing ? (
        <Icon aria-hidden className="size-5 shrink-0" />
      ) : (
        <CircleAlert aria-hidden className="size-5 shrink-0" />
      )}
      <div className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">
          {shown.name || t(`conversations.line.${shown.media}`)}
        </bdi>
        <span className="block text-sm text-bubble-muted">
          {t(`chat.file.${state === 'stored' ? 'fetching' : state}`)}
        </span>
        {file && (state === 'failed' || state === 'expired') && can('messages:update') ? (
          <Button
            className="mt-1"
            size="small"
            loading={again.isPending}
            onClick={() => again.mutate(file.id)}
          >
            {t('chat.fetchAgain')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
