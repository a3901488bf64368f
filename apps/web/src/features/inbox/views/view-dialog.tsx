import { viewLimits } from '@app/domain/conversations/list/conversation-view';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc, readFailure } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { ConflictBanner } from '../../../ui/conflict-banner.tsx';
import { Checkbox } from '../../../ui/controls/choice.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import type { SavedView, ViewQuery } from './view-query.ts';
import { viewErrorMessage, viewsOptions } from './views-queries.ts';

/** A name for what the list shows, or another one for a view; and whose it is. */
export function ViewDialog({
  view,
  query,
  onSaved,
  onClose,
}: {
  /** The one that is renamed; its filters stay. */
  view?: SavedView | undefined;
  query: ViewQuery;
  onSaved: (view: SavedView) => void;
  onClose: () => void;
}) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(view);
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setShared] = useState(view?.isShared ?? false);
  const queryClient = useQueryClient();
  const create = useAction(orpc.conversationViews.create.mutationOptions());
  const update = useAction(orpc.conversationViews.update.mutationOptions());
  const failure = create.error ?? update.error;
  const code = failure && readFailure(failure).code;

  async function save() {
    const parts = { name, isShared };
    try {
      const saved = opened
        ? await update.mutateAsync({
            ...parts,
            ...{ viewId: opened.id, version: opened.version, query: opened.query },
          })
        : await create.mutateAsync({ ...parts, query });
      notify.success(t('inbox.view.saved'));
      await queryClient.invalidateQueries({ queryKey: viewsOptions.queryKey });
      onSaved(saved);
      onClose();
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  /** Their version becomes what the next save is checked against. */
  async function goOnFromTheirs(keepsMine: boolean) {
    try {
      const { items } = await queryClient.fetchQuery({ ...viewsOptions, staleTime: 0 });
      const theirs = items.find(({ id }) => id === opened?.id);
      update.reset();
      if (!theirs) {
        notify.error(t('inbox.view.isGone'));
        onClose();
        return;
      }
      setOpened(theirs);
      if (keepsMine) return;
      setName(theirs.name);
      setShared(theirs.isShared);
    } catch (error) {
      notify.error(viewErrorMessage(error));
    }
  }

  return (
    <FormDialog
      title={t(opened ? 'inbox.view.rename' : 'inbox.view.save')}
      description={opened ? undefined : t('inbox.view.purpose')}
      submitLabel={t('common.save')}
      isReady={name.trim() !== ''}
      whyNot={t('inbox.view.nameNeeded')}
      isSaving={create.isPending || update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {code === 'conversation_view_changed' ? (
        <ConflictBanner
          ways={[
            { label: t('inbox.view.loadTheirs'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('inbox.view.keepMine'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('inbox.view.changedMeanwhile')}
        </ConflictBanner>
      ) : failure && code !== 'conversation_view_taken' ? (
        <Banner tone="danger">{viewErrorMessage(failure)}</Banner>
      ) : null}
      <Field
        label={t('inbox.view.name')}
        required
        error={code === 'conversation_view_taken' ? t('inbox.view.taken') : undefined}
      >
        <Input
          value={name}
          dir="auto"
          maxLength={viewLimits.name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {can('messages:manage') ? (
        <Checkbox
          label={t('inbox.view.forEverybody')}
          checked={isShared}
          onChange={(event) => setShared(event.target.checked)}
        />
      ) : null}
    </FormDialog>
  );
}
