import { useQuery, useQueryClient } from '@tanstack/react-query';
import { mergeLimits } from '@app/domain/contact-merges/merge-rules';
import { Ban, CircleCheck, Merge, TagIcon, TagsIcon, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useAct } from '../../shared/acts/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { SelectionBar } from '../../ui/table/selection-bar.tsx';
import { notify } from '../../ui/toast.ts';
import { removeChosen } from '../../shared/contacts/bulk-removal.ts';
import { BulkTagsDialog } from './bulk-tags-dialog.tsx';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';
import type { ListSelection } from '../../shared/lists/use-list-selection.ts';
import { choiceOf, filterWords } from './contact-choice.ts';
import { mayMerge } from '../contact-merges/use-merge.ts';

const MergeDialog = lazyPart(async () => (await import('../contact-merges/merge-dialog.tsx')).MergeDialog);

export type BulkChange = { addTags?: string[]; removeTags?: string[]; status?: 'active' | 'blocked' };

/** What can be done with the selected contacts, or with all that match the search and filter. */
export function BulkEditBar({
  selection,
  search,
  filter,
}: {
  selection: ListSelection;
  search: string;
  filter: string;
}) {
  const { selected, excluded, clear } = selection;
  const [tagsDialog, setTagsDialog] = useState<'add' | 'remove'>();
  const [isMerging, setMerging] = useState(false);
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const edit = useAct(orpc.contacts.bulkEdit.mutationOptions());
  const words = filterWords({ search, filter });
  const matching = useQuery(orpc.contacts.count.queryOptions({ input: words })).data?.count;
  const count = excluded === null ? selected.size : Math.max(0, (matching ?? 0) - excluded.size);
  const choice = choiceOf(selection, words);
  const mayChange = can('contacts:update');

  async function apply(change: BulkChange): Promise<void> {
    try {
      const { changed } = await edit.mutateAsync({ choice, ...change });
      notify.success(t('contacts.bulk.done', { n: changed }));
      setTagsDialog(undefined);
      clear();
    } catch (error) {
      notify.error(failureText(error));
    }
    await refreshContacts(queryClient);
  }

  async function askToDelete(): Promise<void> {
    await confirm({
      title: t('contacts.bulk.deleteQuestion', { n: count }),
      text: t('contacts.bulk.deleteText', { n: count }),
      confirmLabel: t('common.delete'),
      work: async () => {
        if (await removeChosen(choice)) clear();
      },
    });
  }

  return (
    <>
      <SelectionBar count={count} onClear={clear}>
        {excluded === null && matching !== undefined && matching > selected.size ? (
          <Button size="small" variant="ghost" onClick={selection.selectAll}>
            {t('contacts.bulk.selectAll', { n: matching })}
          </Button>
        ) : null}
        {mayChange ? <EditButtons isSaving={edit.isPending} onTags={setTagsDialog} onApply={apply} /> : null}
        {excluded === null && selected.size > 1 && selected.size <= mergeLimits.contacts && mayMerge() ? (
          <Button size="small" icon={<Merge aria-hidden />} onClick={() => setMerging(true)}>
            {t('contacts.merge.open')}
          </Button>
        ) : null}
        {can('contacts:delete') ? (
          <Button
            size="small"
            variant="danger-ghost"
            icon={<Trash2 aria-hidden />}
            onClick={() => void askToDelete()}
          >
            {t('common.delete')}
          </Button>
        ) : null}
      </SelectionBar>
      {isMerging ? (
        <Suspense>
          <MergeDialog contactIds={[...selected]} onMerged={clear} onClose={() => setMerging(false)} />
        </Suspense>
      ) : null}
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

function EditButtons({
  isSaving,
  onTags,
  onApply,
}: {
  isSaving: boolean;
  onTags: (act: 'add' | 'remove') => void;
  onApply: (change: BulkChange) => Promise<void>;
}) {
  return (
    <>
      <Button size="small" icon={<TagIcon aria-hidden />} onClick={() => onTags('add')}>
        {t('contacts.bulk.addTags')}
      </Button>
      <Button size="small" icon={<TagsIcon aria-hidden />} onClick={() => onTags('remove')}>
        {t('contacts.bulk.removeTags')}
      </Button>
      <Button
        size="small"
        icon={<Ban aria-hidden />}
        disabled={isSaving}
        onClick={() => void onApply({ status: 'blocked' })}
      >
        {t('contacts.bulk.block')}
      </Button>
      <Button
        size="small"
        icon={<CircleCheck aria-hidden />}
        disabled={isSaving}
        onClick={() => void onApply({ status: 'active' })}
      >
        {t('contacts.bulk.activate')}
      </Button>
    </>
  );
}
