import { useQuery, useQueryClient } from '@tanstack/react-query';
import { mergeLimits } from '@app/domain/contact-merges/merge-rules';
import {
  Ban,
  CircleCheck,
  ClipboardCheck,
  Download,
  Ellipsis,
  Languages,
  ListPlus,
  Merge,
  MessageSquare,
  PencilLine,
  TagIcon,
  TagsIcon,
  Trash2,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import { orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx';
import { SelectionBar } from '../../../ui/table/selection-bar.tsx';
import { notify } from '../../../ui/toast.ts';
import { removeChosen } from '../../../shared/contacts/bulk-removal.ts';
import { tellEdited } from '../../../shared/contacts/tell-edited.ts';
import { refreshContacts } from '../../../shared/contacts/contacts-queries.ts';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { choiceOf, filterWords } from './contact-choice.ts';
import type { ContactList } from './contact-list.ts';
import { mayExportContacts, useExport } from '../export-contacts.ts';
import type { ListLayoutChoice } from './list-layout.ts';
import { mayWriteToMany, mayWriteToOne, useWriteToMany } from './use-write-to-many.ts';
import { mayMerge } from '../../contact-merges/use-merge.ts';

const MergeDialog = lazyDialog(
  async () => (await import('../../contact-merges/merge-dialog.tsx')).MergeDialog,
);
const BulkTagsDialog = lazyDialog(
  async () => (await import('../../../shared/contacts/bulk-tags-dialog.tsx')).BulkTagsDialog,
);
const SetFieldDialog = lazyDialog(async () => (await import('./set-field-dialog.tsx')).SetFieldDialog);
const SetLanguageDialog = lazyDialog(
  async () => (await import('./set-language-dialog.tsx')).SetLanguageDialog,
);
const BulkConsentDialog = lazyDialog(
  async () => (await import('./bulk-consent-dialog.tsx')).BulkConsentDialog,
);
const SaveSegmentDialog = lazyDialog(
  async () => (await import('./save-segment-dialog.tsx')).SaveSegmentDialog,
);

export type BulkChange = {
  addTags?: string[];
  removeTags?: string[];
  status?: 'active' | 'blocked';
  language?: string | null;
  customFields?: Record<string, string | null>;
};
type Open = 'add' | 'remove' | 'field' | 'language' | 'consent' | 'segment' | 'merge';

/** What can be done with the selected contacts, or with all that match the search and filter. */
export function BulkEditBar({ contacts, layout }: { contacts: ContactList; layout: ListLayoutChoice }) {
  const { selection, wanted, setUrl } = contacts;
  const { selected, excluded, clear } = selection;
  const [open, setOpen] = useState<Open>();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const edit = useAction(orpc.contactActs.edit.mutationOptions());
  const writeTo = useWriteToMany();
  const exporting = useExport(contacts, layout);
  const words = filterWords(wanted);
  const matching = useQuery(orpc.contacts.count.queryOptions({ input: words })).data?.count;
  const count = excluded === null ? selected.size : Math.max(0, (matching ?? 0) - excluded.size);
  const choice = choiceOf(selection, words);
  const mayWrite = mayWriteToMany() || (mayWriteToOne() && excluded === null && selected.size === 1);
  const close = () => setOpen(undefined);

  async function apply(change: BulkChange): Promise<void> {
    try {
      void tellEdited(await edit.mutateAsync({ choice, ...change }));
      close();
      clear();
    } catch (error) {
      notify.error(errorMessage(error));
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

  async function askToBlock(): Promise<void> {
    const isSure = await confirm({
      title: t('contacts.bulk.blockQuestion', { n: count }),
      text: t('contacts.bulk.blockText'),
      confirmLabel: t('contacts.bulk.block'),
    });
    if (isSure) await apply({ status: 'blocked' });
  }

  const canMerge =
    excluded === null && selected.size > 1 && selected.size <= mergeLimits.contacts && mayMerge();
  const more = useRarerActions({
    ...{ isSaving: edit.isPending, onOpen: setOpen },
    onBlock: () => void askToBlock(),
    onActivate: () => void apply({ status: 'active' }),
  });
  const dialog = { count, choice, onClose: close };
  return (
    <>
      <SelectionBar
        count={count}
        onClear={clear}
        all={
          excluded === null && matching !== undefined && matching > selected.size ? (
            <Button size="small" variant="ghost" onClick={selection.selectAll}>
              {t('contacts.bulk.selectAll', { n: matching })}
            </Button>
          ) : undefined
        }
      >
        {mayWrite ? (
          <Button
            size="small"
            variant="primary"
            icon={<MessageSquare aria-hidden />}
            onClick={() => writeTo(choice)}
          >
            {t('contacts.message')}
          </Button>
        ) : null}
        {can('contacts:update') ? (
          <Button size="small" iconOnSmall icon={<TagIcon aria-hidden />} onClick={() => setOpen('add')}>
            {t('contacts.bulk.addTags')}
          </Button>
        ) : null}
        {mayExportContacts() ? (
          <Menu
            trigger={
              <Button
                size="small"
                iconOnSmall
                icon={<Download aria-hidden />}
                loading={exporting.isExporting}
              >
                {t('contacts.export')}
              </Button>
            }
            entries={exporting.entries}
          />
        ) : null}
        {canMerge ? (
          <Button size="small" iconOnSmall icon={<Merge aria-hidden />} onClick={() => setOpen('merge')}>
            {t('contacts.merge.open')}
          </Button>
        ) : null}
        {more.length > 0 ? (
          <Menu
            trigger={
              <Button size="small" iconOnSmall icon={<Ellipsis aria-hidden />}>
                {t('contacts.bulk.more')}
              </Button>
            }
            entries={more}
          />
        ) : null}
        {can('contacts:delete') ? (
          <Button
            size="small"
            variant="danger-ghost"
            iconOnSmall
            icon={<Trash2 aria-hidden />}
            onClick={() => void askToDelete()}
          >
            {t('common.delete')}
          </Button>
        ) : null}
      </SelectionBar>
      <Suspense>
        {open === 'merge' ? (
          <MergeDialog contactIds={[...selected]} onMerged={clear} onClose={close} />
        ) : null}
        {open === 'add' || open === 'remove' ? (
          <BulkTagsDialog
            act={open}
            count={count}
            isSaving={edit.isPending}
            onSave={(tags) => void apply(open === 'add' ? { addTags: tags } : { removeTags: tags })}
            onClose={close}
          />
        ) : null}
        {open === 'field' ? (
          <SetFieldDialog
            count={count}
            isSaving={edit.isPending}
            onSave={(customFields) => void apply({ customFields })}
            onClose={close}
          />
        ) : null}
        {open === 'language' ? (
          <SetLanguageDialog
            count={count}
            isSaving={edit.isPending}
            onSave={(language) => void apply({ language })}
            onClose={close}
          />
        ) : null}
        {open === 'consent' ? <BulkConsentDialog {...dialog} onDone={clear} /> : null}
        {open === 'segment' ? (
          <SaveSegmentDialog
            {...dialog}
            onSaved={(id) => {
              clear();
              setUrl({ filter: `segment:${id}`, search: undefined });
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}

/** What is wanted now and then, so that the bar stays one line. */
function useRarerActions({
  isSaving,
  onOpen,
  onBlock,
  onActivate,
}: {
  isSaving: boolean;
  onOpen: (dialog: Open) => void;
  onBlock: () => void;
  onActivate: () => void;
}): MenuEntry[] {
  const fields = useCustomFields() ?? [];
  if (!can('contacts:update')) return [];
  return [
    {
      label: t('contacts.bulk.removeTags'),
      icon: <TagsIcon aria-hidden />,
      onSelect: () => onOpen('remove'),
    },
    ...(fields.length > 0
      ? [
          {
            label: t('contacts.bulk.setField'),
            icon: <PencilLine aria-hidden />,
            onSelect: () => onOpen('field'),
          },
        ]
      : []),
    {
      label: t('contacts.bulk.setLanguage'),
      icon: <Languages aria-hidden />,
      onSelect: () => onOpen('language'),
    },
    {
      label: t('contacts.bulk.consent'),
      icon: <ClipboardCheck aria-hidden />,
      onSelect: () => onOpen('consent'),
    },
    ...(can('contacts:create')
      ? [
          {
            label: t('contacts.bulk.segment'),
            icon: <ListPlus aria-hidden />,
            onSelect: () => onOpen('segment'),
          },
        ]
      : []),
    'separator',
    {
      label: t('contacts.bulk.block'),
      icon: <Ban aria-hidden />,
      disabled: isSaving,
      onSelect: onBlock,
    },
    {
      label: t('contacts.bulk.activate'),
      icon: <CircleCheck aria-hidden />,
      disabled: isSaving,
      onSelect: onActivate,
    },
  ];
}
