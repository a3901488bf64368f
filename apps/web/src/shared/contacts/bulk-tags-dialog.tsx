import { stillNeeded } from '../actions/still-needed.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../messages.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { tagsOptions } from './contacts-queries.ts';
import { TagInput } from './tag-input.tsx';

export function BulkTagsDialog({
  act,
  count,
  isSaving,
  onSave,
  onClose,
}: {
  act: 'add' | 'remove';
  count: number;
  isSaving: boolean;
  onSave: (tags: string[]) => void;
  onClose: () => void;
}) {
  const [tags, setTags] = useState<string[]>([]);
  const known = useQuery(tagsOptions).data?.items ?? [];
  const title = act === 'add' ? t('contacts.bulk.addTags') : t('contacts.bulk.removeTags');
  return (
    <FormDialog
      closeOnOutsidePress
      size="small"
      title={title}
      description={t('contacts.filterCount', { n: count })}
      submitLabel={title}
      isReady={tags.length > 0}
      whyNot={stillNeeded(t('contacts.tagsLabel'))}
      isSaving={isSaving}
      onSubmit={() => onSave(tags)}
      onClose={onClose}
    >
      <Field label={t('contacts.tagsLabel')} hint={t('contacts.tagsHint')}>
        <TagInput value={tags} onChange={setTags} suggestions={known.map(({ tag }) => tag)} />
      </Field>
    </FormDialog>
  );
}
