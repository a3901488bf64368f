import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import { Suspense } from 'react';
import { t } from '../../../shared/messages.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Input, NativeSelect } from '../../../ui/input.tsx';
import { lazyPart } from '../../../ui/load-file.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { faultAt } from './fault-words.ts';
import { mediaHeights, type EditedCard } from './message-values.ts';

const MediaField = lazyPart(async () => (await import('../../../shared/media/media-field.tsx')).MediaField);

interface MediaFieldsProps {
  card: EditedCard;
  path: string;
  faults: readonly ContentFault[];
  /** A horizontal card gives its picture the height of the card. */
  hasHeight: boolean;
  onChange: (part: Partial<EditedCard>) => void;
}

/** The picture, video or PDF of a card: a file that is uploaded, or an address. */
export function MediaFields({ card, path, faults, hasHeight, onChange }: MediaFieldsProps) {
  const { link, file, height } = card;
  const hasWords = useMessages('media');
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {hasWords ? (
        <Suspense fallback={<Skeleton className="h-20" />}>
          <MediaField
            label={t('rcs.field.file')}
            purpose="card"
            value={file && { id: file.id, name: file.name ?? '', size: file.size ?? 0 }}
            error={faultAt(faults, `${path}.media.file`)}
            onChange={(media) =>
              onChange({
                file: media && {
                  ...{ id: media.id, name: media.name, mimeType: media.mimeType, size: media.size },
                },
                ...(media && { link: '' }),
              })
            }
          />
        </Suspense>
      ) : (
        <Skeleton className="h-20" />
      )}
      <div className="grid gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        {file ? null : (
          <Field
            label={t('rcs.field.link')}
            hint={t('rcs.linkHint')}
            error={faultAt(faults, `${path}.media.link`)}
          >
            <Input
              type="url"
              placeholder="https://"
              value={link}
              onChange={({ target }) => onChange({ link: target.value })}
            />
          </Field>
        )}
        {hasHeight ? (
          <Field label={t('rcs.field.height')} error={faultAt(faults, `${path}.media.height`)}>
            <NativeSelect
              value={height}
              onChange={({ target }) =>
                onChange({ height: mediaHeights.find((one) => one === target.value) ?? 'medium' })
              }
            >
              {mediaHeights.map((one) => (
                <option key={one} value={one}>
                  {t(`rcs.height.${one}`)}
                </option>
              ))}
            </NativeSelect>
          </Field>
        ) : null}
      </div>
    </div>
  );
}
