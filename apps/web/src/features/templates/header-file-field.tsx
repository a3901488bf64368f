import { useCallback } from 'react';
import { useWatch } from 'react-hook-form';
import type { MediaHeaderFormat } from '@app/domain/templates/template';
import { MediaField } from '../../shared/media/media-field.tsx';
import { t } from '../../shared/messages.ts';
import { useFormOfTemplate } from './use-template-form.ts';

export function HeaderFileField({ format }: { format: MediaHeaderFormat }) {
  const { control, setValue, formState } = useFormOfTemplate();
  const media = useWatch({ control, name: 'header.media' });
  const noteUpload = useCallback(
    (isUploading: boolean) => setValue('header.isUploading', isUploading, { shouldDirty: true }),
    [setValue],
  );
  return (
    <MediaField
      label={t('templates.form.headerFile')}
      purpose={`header_${format}`}
      value={media}
      error={formState.errors.header?.media?.message}
      onUploading={noteUpload}
      onChange={(chosen) =>
        setValue('header.media', chosen && { id: chosen.id, name: chosen.name, size: chosen.size }, {
          shouldDirty: true,
        })
      }
    />
  );
}
