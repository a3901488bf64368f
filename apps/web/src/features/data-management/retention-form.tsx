import {
  retentionChoices,
  retentionKinds,
  type RetentionKind,
  type RetentionSettings,
} from '@app/domain/data-management/retention';
import { useState } from 'react';
import { SETTINGS_TOAST_MS } from '../../shared/actions/settings-toast.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { api } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { can } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.ts';
import { retentionOptions, type Retention, type RetentionPreview } from './data-queries.ts';
import { RetentionDialog } from './retention-dialog.tsx';
import { timeOf } from './retention-words.ts';

const FOR_EVER = 'ever';

/** How long the workspace keeps what. Before something goes, it is shown what that is. */
export function RetentionForm({ saved }: { saved: Retention }) {
  // What was chosen and not saved stands over what is saved.
  const [changes, setChanges] = useState<Partial<RetentionSettings>>({});
  const [asked, setAsked] = useState<RetentionPreview>();
  const { version, ...kept } = saved;
  const values: RetentionSettings = { ...kept, ...changes };
  const isChanged = retentionKinds.some((kind) => values[kind] !== kept[kind]);
  useUnsavedWarning(isChanged, 'tab');
  const mayManage = can('settings:manage');
  const save = useAction({
    mutationFn: (name: string | undefined) =>
      api.dataManagement.updateRetention({
        ...values,
        version,
        ...(name !== undefined && { name }),
      }),
    onSuccess: (now) => {
      queryClient.setQueryData(retentionOptions().queryKey, now);
      setChanges({});
      setAsked(undefined);
      notify.success(t('dataManagement.retention.saved'), { duration: SETTINGS_TOAST_MS });
    },
    onError: (error) => {
      notify.error(errorMessage(error));
      void queryClient.invalidateQueries(retentionOptions());
    },
  });
  const look = useAction({
    mutationFn: () => api.dataManagement.previewRetention(values),
    onSuccess: (preview) => {
      if (Object.values(preview).some((count) => count > 0)) setAsked(preview);
      else save.mutate(undefined);
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayManage && isChanged) look.mutate();
      }}
    >
      <fieldset disabled={!mayManage} className="grid min-w-0 gap-4 sm:grid-cols-2">
        {retentionKinds.map((kind) => (
          <Field
            key={kind}
            label={t(`dataManagement.retention.kind.${kind}`)}
            hint={t(`dataManagement.retention.kind.${kind}Hint`)}
          >
            <Select
              value={String(values[kind] ?? FOR_EVER)}
              onChange={(chosen) =>
                setChanges((before) => ({
                  ...before,
                  [kind]: retentionChoices[kind].find((days) => String(days) === chosen) ?? null,
                }))
              }
              options={optionsOf(kind)}
            />
          </Field>
        ))}
      </fieldset>
      {mayManage ? (
        <div className="flex flex-wrap items-center justify-end gap-3">
          <p className="min-w-60 flex-1 text-sm text-muted">{t('dataManagement.retention.never')}</p>
          <Button type="submit" disabled={!isChanged} loading={look.isPending || save.isPending}>
            {t('dataManagement.retention.save')}
          </Button>
        </div>
      ) : null}
      {asked ? (
        <RetentionDialog
          chosen={values}
          preview={asked}
          isSaving={save.isPending}
          onSave={(name) => save.mutate(name)}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </form>
  );
}

function optionsOf(kind: RetentionKind) {
  return [null, ...retentionChoices[kind]].map((days) => ({
    value: String(days ?? FOR_EVER),
    label: timeOf(days),
  }));
}
