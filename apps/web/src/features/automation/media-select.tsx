import { mediaTypes, type MediaPurpose } from '@app/domain/media/media';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { orpc } from '../../shared/api.ts';
import { formatBytes } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { Skeleton } from '../../ui/states.tsx';

const MediaField = lazyPart(async () => (await import('../../shared/media/media-field.tsx')).MediaField);

/** What is taken for each kind: the types and sizes of the channel with the narrowest limits. */
const purposes: Record<string, MediaPurpose> = {
  image: 'header_image',
  video: 'header_video',
  document: 'header_document',
};
/** The newest files; older ones are uploaded anew. */
const MOST_FILES = 100;

/** A file of the library: one that is there, or a new one. */
export function MediaSelect({
  kind,
  label,
  error,
  required,
  value,
  onChange,
}: {
  /** `image`, `video` or `document`. */
  kind: string;
  label: string;
  error?: string | undefined;
  required?: boolean | undefined;
  value: string;
  onChange: (mediaId: string) => void;
}) {
  const queryClient = useQueryClient();
  const hasWords = useMessages('media');
  const type = mediaTypes.find((one) => one === kind);
  const files = useQuery({
    ...orpc.media.list.queryOptions({ input: { ...(type && { type }), limit: MOST_FILES } }),
    enabled: can('templates:read'),
  });
  const options = (files.data?.items ?? []).map(({ id, name, size }) => ({
    ...{ value: id, label: name, hint: formatBytes(size) },
  }));
  const chosen = useQuery({
    ...orpc.media.get.queryOptions({ input: { mediaId: value } }),
    enabled: value !== '',
    retry: false,
  });
  const known = chosen.data?.type === (type ?? chosen.data?.type) ? chosen.data : undefined;
  return (
    <div className="grid gap-2">
      <Field label={label} error={error} required={required}>
        <Combobox
          value={
            value === ''
              ? null
              : { value, label: known?.name ?? (chosen.isPending ? '' : t('automation.goneReference')) }
          }
          onChange={(option) => onChange(option?.value ?? '')}
          loading={files.isFetching}
          placeholder={t('automation.chooseFile')}
          emptyText={t('automation.noFiles')}
          options={options}
        />
      </Field>
      {can('templates:create') && hasWords ? (
        <Suspense fallback={<Skeleton className="h-20" />}>
          <MediaField
            label={t('automation.newFile')}
            purpose={purposes[kind] ?? 'attachment'}
            value={null}
            onChange={(media) => {
              if (!media) return;
              queryClient.setQueryData(
                orpc.media.get.queryOptions({ input: { mediaId: media.id } }).queryKey,
                media,
              );
              void queryClient.invalidateQueries({ queryKey: orpc.media.list.key() });
              onChange(media.id);
            }}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
