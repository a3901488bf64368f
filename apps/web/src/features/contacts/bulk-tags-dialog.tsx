import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { tagsOptions } from '../../shared/contacts/contacts-queries.ts';
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
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size="small"
      title={title}
      description={t('contacts.filterCount', { n: count })}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            disabled={tags.length === 0}
            loading={isSaving}
            onClick={() => onSave(tags)}
          >
            {title}
          </Button>
        </>
      }
    >
      <Field label={t('contacts.tagsLabel')} hint={t('contacts.tagsHint')}>
        <TagInput value={tags} onChange={setTags} suggestions={known.map(({ tag }) => tag)} />
      </Field>
    </Dialog>
  );
}
