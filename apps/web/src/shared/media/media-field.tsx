import { FileText, ImageIcon, Video, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { acceptOf, mediaRules, type MediaPurpose, type MediaType } from '@app/domain/media/media';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FileDrop } from '../../ui/controls/file-drop.tsx';
import { Progress } from '../../ui/progress.tsx';
import { formatBytes } from '../formats.ts';
import { t } from '../messages.ts';
import { UploadError, uploadFile, type UploadedMedia } from './upload-file.ts';

export type ChosenMedia = { id: string; name: string; size: number };

const icons: Record<MediaType, typeof FileText> = {
  image: ImageIcon,
  video: Video,
  audio: FileText,
  document: FileText,
};
const kinds: Record<MediaPurpose, MediaType> = {
  header_image: 'image',
  header_video: 'video',
  header_document: 'document',
  attachment: 'document',
  card: 'image',
};

/** A file that is uploaded as soon as it is chosen: idle, uploading with its progress, there, or refused. */
export function MediaField({
  label,
  purpose,
  value,
  onChange,
  onUploading,
  error,
}: {
  label: string;
  purpose: MediaPurpose;
  value: ChosenMedia | null;
  onChange: (media: UploadedMedia | null) => void;
  /** Told when an upload begins and when it is over; keep it stable. */
  onUploading?: ((isUploading: boolean) => void) | undefined;
  error?: string | undefined;
}) {
  const [upload, setUpload] = useState<{ name: string; sent: number; total: number } | null>(null);
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const isUploading = upload !== null;
  useEffect(() => {
    if (!isUploading) return undefined;
    onUploading?.(true);
    return () => onUploading?.(false);
  }, [isUploading, onUploading]);

  async function take(file: File) {
    const abort = new AbortController();
    running.current?.abort();
    running.current = abort;
    setProblem(undefined);
    setUpload({ name: file.name, sent: 0, total: file.size });
    try {
      const media = await uploadFile(file, purpose, {
        signal: abort.signal,
        onProgress: (sent, total) => setUpload({ name: file.name, sent, total }),
      });
      onChange(media);
    } catch (failure) {
      if (!abort.signal.aborted) setProblem(describe(failure, purpose));
    } finally {
      if (running.current === abort) setUpload(null);
    }
  }

  return (
    <Field label={label} error={problem ?? error}>
      {upload ? (
        <Uploading upload={upload} onCancel={() => running.current?.abort()} />
      ) : value ? (
        <Chosen media={value} type={kinds[purpose]} onRemove={() => onChange(null)} />
      ) : (
        <FileDrop
          accept={acceptOf(purpose)}
          hint={t(`media.hint.${purpose}`, { n: mediaRules[purpose].maxMegabytes })}
          onFiles={([file]) => {
            if (file) void take(file);
          }}
        />
      )}
    </Field>
  );
}

function Uploading({
  upload: { name, sent, total },
  onCancel,
}: {
  upload: { name: string; sent: number; total: number };
  onCancel: () => void;
}) {
  return (
    <div className="flex items-center gap-2 rounded-card border border-border px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="mb-1 flex justify-between gap-3 text-sm">
          <span className="truncate">{t('media.uploading', { name })}</span>
          <span className="shrink-0 text-muted tabular-nums">
            {t('media.progress', { done: formatBytes(sent), total: formatBytes(total) })}
          </span>
        </p>
        <Progress label={name} hideLabel hideCounts done={sent} total={total} />
      </div>
      <IconButton label={t('media.cancel')} size="small" onClick={onCancel}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

function Chosen({ media, type, onRemove }: { media: ChosenMedia; type: MediaType; onRemove: () => void }) {
  const Icon = icons[type];
  return (
    <div className="flex items-center gap-3 rounded-card border border-border px-4 py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{media.name}</span>
        <span className="block text-sm text-muted">{formatBytes(media.size)}</span>
      </span>
      <IconButton label={t('media.remove', { name: media.name })} size="small" onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

function describe(failure: unknown, purpose: MediaPurpose): string {
  if (!(failure instanceof UploadError)) return t('media.failed');
  switch (failure.problem) {
    case 'too_large':
      return t('media.tooLarge', { n: mediaRules[purpose].maxMegabytes });
    case 'unsupported':
      return t('media.unsupported');
    case 'failed':
      return t('media.failed');
  }
}
