import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, CircleCheck, TagIcon, TagsIcon } from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { SelectionBar } from '../../ui/selection-bar.tsx';
import { notify } from '../../ui/toast.tsx';
import { BulkTagsDialog } from './bulk-tags-dialog.tsx';
import { readFilter, refreshContacts } from './contacts-queries.ts';

export type BulkChange = { addTags?: string[]; removeTags?: string[]; status?: 'active' | 'blocked' };

/** What can be done with the selected contacts, or with all that match the search and filter. */
export function BulkEditBar({
  selected,
  search,
  filter,
  onClear,
}: {
  selected: ReadonlySet<string>;
  search: string;
  filter: string;
  onClear: () => void;
}) {
  const [isAll, setAll] = useState(false);
  const [tagsDialog, setTagsDialog] = useState<'add' | 'remove'>();
  const queryClient = useQueryClient();
  const edit = useMutation(orpc.contacts.bulkEdit.mutationOptions());
  const matching = useQuery(
    orpc.contacts.count.queryOptions({ input: { ...(search && { search }), ...readFilter(filter) } }),
  ).data?.count;
  const count = isAll ? (matching ?? selected.size) : selected.size;

  async function apply(change: BulkChange): Promise<void> {
    const choice = isAll
      ? { filter: { ...(search && { search }), ...readFilter(filter) } }
      : { contactIds: [...selected] };
    try {
      const { changed } = await edit.mutateAsync({ choice, ...change });
      notify.success(t('contacts.bulk.done', { n: changed }));
      setTagsDialog(undefined);
      onClear();
    } catch (error) {
      notify.error(failureText(error));
    }
    await refreshContacts(queryClient);
  }

  return (
    <>
      <SelectionBar count={count} onClear={onClear}>
        {!isAll && matching !== undefined && matching > selected.size ? (
          <Button size="small" variant="ghost" onClick={() => setAll(true)}>
            {t('contacts.bulk.selectAll', { n: matching })}
          </Button>
        ) : null}
        <Button size="small" icon={<TagIcon aria-hidden />} onClick={() => setTagsDialog('add')}>
          {t('contacts.bulk.addTags')}
        </Button>
        <Button size="small" icon={<TagsIcon aria-hidden />} onClick={() => setTagsDialog('remove')}>
          {t('contacts.bulk.removeTags')}
        </Button>
        <Button
          size="small"
          icon={<Ban aria-hidden />}
          disabled={edit.isPending}
          onClick={() => void apply({ status: 'blocked' })}
        >
          {t('contacts.bulk.block')}
        </Button>
        <Button
          size="small"
          icon={<CircleCheck aria-hidden />}
          disabled={edit.isPending}
          onClick={() => void apply({ status: 'active' })}
        >
          {t('contacts.bulk.activate')}
        </Button>
      </SelectionBar>
      {tagsDialog ? (
        <BulkTagsDialog
          act={tagsDialog}
          count={count}
          isSaving={edit.isPending}
          onSave={(tags) => void apply(tagsDialog === 'add' ? { addTags: tags } : { removeTags: tags })}
          onClose={() => setTagsDialog(undefined)}
        />
      ) : null}
    </>
  );
}
