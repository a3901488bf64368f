import {
  notificationWays,
  type NotificationChoices,
  type NotificationWay,
} from '@app/domain/notifications/notification-choices';
import { notificationOptions } from '@app/domain/notifications/notification-kinds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FieldsState } from '../../shared/actions/form-state.tsx';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { ChoiceTable } from './choice-table.tsx';

type Defaults = { version: number; options: NotificationChoices['options'] };

const defaultsOptions = () => orpc.settings.getNoticeDefaults.queryOptions({ input: {} });
const ALL_WAYS = Object.fromEntries(notificationWays.map((way) => [way, true])) as Record<
  NotificationWay,
  boolean
>; // these are its keys
const SHOWN_MS = 3_000;

/** What people of the workspace are told of who have chosen nothing for themselves. */
export function DefaultsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(defaultsOptions());
  if (data) return <DefaultsForm saved={data} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title={t('notifications.defaults.title')} size="large">
      <FieldsState error={error} onRetry={() => void refetch()} />
    </Dialog>
  );
}

function DefaultsForm({ saved, onClose }: { saved: Defaults; onClose: () => void }) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(saved);
  const [options, setOptions] = useState(saved.options);
  const queryClient = useQueryClient();
  const update = useAction(orpc.settings.updateNoticeDefaults.mutationOptions());
  const isChanged = JSON.stringify(options) !== JSON.stringify(opened.options);
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');
  const isConflict = update.error !== null && readFailure(update.error).code === 'settings_changed';

  async function loadTheirs() {
    try {
      const theirs = await queryClient.fetchQuery({ ...defaultsOptions(), staleTime: 0 });
      setOpened(theirs);
      setOptions(theirs.options);
      update.reset();
    } catch (error) {
      notify.error(errorMessage(error));
    }
  }

  async function save() {
    try {
      const kept = await update.mutateAsync({ version: opened.version, options });
      notify.success(t('notifications.choices.saved'), { duration: SHOWN_MS });
      closeSaved(onClose);
      queryClient.setQueryData(defaultsOptions().queryKey, kept);
      // Whoever saves may have chosen nothing themself.
      await queryClient.invalidateQueries({ queryKey: orpc.profile.getNotificationChoices.key() });
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  return (
    <FormDialog
      title={t('notifications.defaults.title')}
      description={t('notifications.defaults.purpose')}
      size="large"
      submitLabel={t('notifications.choices.save')}
      isReady={isChanged}
      whyNot={t('notifications.defaults.unchanged')}
      isSaving={update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {isConflict ? (
        <ConflictBanner
          ways={[{ label: t('notifications.defaults.loadTheirs'), onSelect: () => void loadTheirs() }]}
        >
          {t('notifications.defaults.changed')}
        </ConflictBanner>
      ) : update.error ? (
        <Banner tone="danger">{errorMessage(update.error)}</Banner>
      ) : null}
      <ChoiceTable
        ways={ALL_WAYS}
        options={notificationOptions.flatMap((option) => {
          const choice = options[option];
          return choice ? [{ option, choice }] : [];
        })}
        onChange={(option, choice) => {
          setOptions({ ...options, [option]: choice });
          update.reset();
        }}
      />
    </FormDialog>
  );
}
