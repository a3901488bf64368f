import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FieldsState } from '../../shared/actions/form-state.tsx';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { keepChanged } from '../../shared/actions/keep-changed.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { AssignmentSettings } from './settings-assignment.tsx';
import { LabelSettings } from './settings-labels.tsx';
import { OtherSettings } from './settings-other.tsx';
import { TimeSettings } from './settings-times.tsx';
import { readValues, settingsProblem, type SettingsValues } from './settings-values.ts';
import { inboxSettingsOptions, type InboxSettings } from './teamwork-queries.ts';

/** How the workspace works in its inbox: who gets what, by when, with which labels. */
export function InboxSettingsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(inboxSettingsOptions());
  if (data) return <SettingsForm settings={data} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title={t('teamwork.settings')} size="large">
      <FieldsState error={error} onRetry={() => void refetch()} />
    </Dialog>
  );
}

const parts = ['assignment', 'times', 'labels', 'other'] as const;
type Part = (typeof parts)[number];

function SettingsForm({ settings, onClose }: { settings: InboxSettings; onClose: () => void }) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(settings);
  const { version } = opened;
  const first = readValues(opened);
  const [values, setValues] = useState<SettingsValues>(first);
  const [part, setPart] = useState<Part>('assignment');
  const queryClient = useQueryClient();
  const update = useAction(orpc.inboxSettings.update.mutationOptions());
  const isChanged = JSON.stringify(values) !== JSON.stringify(first);
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');
  const problem = settingsProblem(values);
  const change = (patch: Partial<SettingsValues>) => {
    setValues((before) => ({ ...before, ...patch }));
    update.reset();
  };
  const isConflict = update.error !== null && readFailure(update.error).code === 'inbox_settings_changed';

  /** Their version becomes what the next save is checked against. */
  async function goOnFromTheirs(keepsMine: boolean) {
    try {
      const theirs = await queryClient.fetchQuery({ ...inboxSettingsOptions(), staleTime: 0 });
      const theirValues = readValues(theirs);
      setValues(keepsMine ? keepChanged(first, values, theirValues) : theirValues);
      setOpened(theirs);
      update.reset();
    } catch (error) {
      notify.error(errorMessage(error));
    }
  }

  async function save() {
    try {
      const saved = await update.mutateAsync({ ...values, version });
      notify.success(t('teamwork.settingsSaved'));
      closeSaved(onClose);
      queryClient.setQueryData(inboxSettingsOptions().queryKey, saved);
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  return (
    <FormDialog
      title={t('teamwork.settings')}
      size="large"
      submitLabel={t('common.save')}
      isReady={isChanged && problem === null}
      whyNot={problem ?? t('teamwork.settingsUnchanged')}
      isSaving={update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
      note={problem ? <p className="mr-auto text-sm text-danger">{problem}</p> : undefined}
    >
      {isConflict ? (
        <ConflictBanner
          ways={[
            { label: t('teamwork.settingsLoadTheirs'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('teamwork.settingsKeepMine'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('teamwork.settingsChanged')}
        </ConflictBanner>
      ) : update.error ? (
        <Banner tone="danger">{errorMessage(update.error)}</Banner>
      ) : null}
      <Tabs
        label={t('teamwork.settings')}
        value={part}
        onChange={setPart}
        tabs={parts.map((value) => ({ value, label: t(`teamwork.part.${value}`) }))}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 pt-4">
          {part === 'assignment' ? <AssignmentSettings values={values} onChange={change} /> : null}
          {part === 'times' ? <TimeSettings values={values} onChange={change} /> : null}
          {part === 'labels' ? <LabelSettings /> : null}
          {part === 'other' ? <OtherSettings values={values} onChange={change} /> : null}
        </div>
      </Tabs>
    </FormDialog>
  );
}
