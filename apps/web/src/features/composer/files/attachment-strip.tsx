import { FileText, Music, Video, X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { formatBytes } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Input } from '../../../ui/input.tsx';
import type { FileKind } from './chosen-file.ts';
import type { Attachments } from './use-attachments.ts';

const icons: Partial<Record<FileKind, ReactNode>> = {
  video: <Video aria-hidden />,
  audio: <Music aria-hidden />,
  document: <FileText aria-hidden />,
};

/** The files that leave with the next message: what they are, how large, and what stands below each. */
export function AttachmentStrip({
  attachments: { files, remove, caption },
  onEmpty,
}: {
  attachments: Attachments;
  /** The last one was taken away: the focus goes back to the text. */
  onEmpty: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  if (files.length === 0) return null;
  return (
    <ul
      ref={list}
      aria-label={t('composer.file.list')}
      className="mx-2 mt-1 flex max-h-52 flex-col gap-1.5 overflow-y-auto rounded-card bg-sunken p-2"
    >
      {files.map(({ id, name, size, kind, longestCaption, caption: text, url }, index) => (
        <li key={id} className="flex min-w-0 items-center gap-3">
          {kind === 'image' || kind === 'sticker' ? (
            <img src={url} alt="" className="size-12 shrink-0 rounded-md object-cover" />
          ) : (
            <span className="grid size-12 shrink-0 place-items-center rounded-md bg-raised text-muted [&_svg]:size-5">
              {icons[kind]}
            </span>
          )}
          <div className="min-w-0 flex-1">
            <p className="flex min-w-0 gap-2 text-sm">
              <span dir="auto" className="min-w-0 truncate font-medium">
                {name}
              </span>
              <span className="shrink-0 text-muted tabular-nums">{formatBytes(size)}</span>
            </p>
            {/* The text is the caption of a file that stands alone. */}
            {longestCaption > 0 && files.length > 1 ? (
              <Input
                aria-label={t('composer.file.captionOf', { name })}
                placeholder={t('composer.file.caption')}
                value={text}
                maxLength={longestCaption}
                className="mt-1 h-7! text-sm"
                onChange={(event) => caption(id, event.target.value)}
              />
            ) : null}
          </div>
          <IconButton
            size="small"
            label={t('composer.file.remove', { name })}
            onClick={() => {
              const next =
                list.current?.querySelectorAll('button')[index + 1] ?? list.current?.querySelector('button');
              remove(id);
              if (files.length === 1) onEmpty();
              else next?.focus();
            }}
          >
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
