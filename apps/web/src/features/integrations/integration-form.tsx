import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { integrationErrorMessage, integrationKeys, type Integration } from './integrations-queries.ts';

/** Reads again what the pages show of integrations. */
export function useReadAnew(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    for (const queryKey of integrationKeys()) await queryClient.invalidateQueries({ queryKey });
  };
}

/** The form of a dialog about one integration: it saves once, warns before it loses what was typed, and shows others what is set. */
export function IntegrationForm({
  integration: { title },
  isDirty,
  isReady = true,
  manages,
  update,
  onSaved,
  note,
  action,
  children,
}: {
  integration: Pick<Integration, 'title'>;
  isDirty: boolean;
  /** False while something is missing that the form says beside its field. */
  isReady?: boolean;
  /** Whether who looks at it may change it. */
  manages: boolean;
  update: () => Promise<unknown>;
  onSaved: () => void;
  /** Below the fields. */
  note?: ReactNode;
  /** Beside Save. */
  action?: ReactNode;
  children: ReactNode;
}) {
  const readAnew = useReadAnew();
  const save = useAction({
    mutationFn: update,
    onSuccess: async () => {
      notify.success(t('integrations.saved', { name: title }));
      await readAnew();
      closeSaved(onSaved);
    },
  });
  const closeSaved = useUnsavedWarning(isDirty && !save.isSuccess, 'dialog');
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && isReady && manages && !save.isPending) save.mutate();
      }}
    >
      <fieldset disabled={!manages} className="contents">
        {children}
      </fieldset>
      {note}
      {save.error ? <Banner tone="danger">{integrationErrorMessage(save.error)}</Banner> : null}
      {manages ? (
        <div className="flex flex-wrap justify-end gap-2">
          {action}
          <Button variant="primary" type="submit" disabled={!isDirty || !isReady} loading={save.isPending}>
            {t('integrations.save')}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
