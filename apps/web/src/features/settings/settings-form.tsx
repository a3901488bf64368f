import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { keepChanged } from '../../shared/actions/keep-changed.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { SaveBar } from '../../shared/actions/save-bar.tsx';
import { SETTINGS_TOAST_MS } from '../../shared/actions/settings-toast.ts';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

export interface SettingsFormProps<Values extends object> {
  saved: Values & { version: number };
  /** Answers with what is kept from then on. */
  onSave: (values: Values & { version: number }) => Promise<Values & { version: number }>;
  /** What somebody else saved meanwhile. */
  onReadAnew: () => Promise<Values & { version: number }>;
  /** Why it cannot be saved yet; null when it can. */
  findProblem: (values: Values) => string | null;
  /** Leads to what is wrong, where it may be out of sight. */
  onShowProblem?: ((values: Values) => void) | undefined;
  /** With what is saved, to tell what is not. */
  children: (values: Values, change: (patch: Partial<Values>) => void, saved: Values) => ReactNode;
}

/** One tab of settings with its Save Settings: warns of what is not saved, and of what somebody else saved meanwhile. */
export function SettingsForm<Values extends object>({
  saved,
  onSave,
  onReadAnew,
  findProblem,
  onShowProblem,
  children,
}: SettingsFormProps<Values>) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(saved);
  const [values, setValues] = useState<Values & { version: number }>(saved);
  const isChanged = JSON.stringify(values) !== JSON.stringify(opened);
  // Whoever changed nothing sees at once what somebody else saved.
  if (!isChanged && saved.version > opened.version) {
    setOpened(saved);
    setValues(saved);
  }
  const update = useAction({ mutationFn: onSave });
  useUnsavedWarning(isChanged, 'tab');
  const mayChange = can('settings:manage');
  const problem = findProblem(values);
  const isConflict = update.error !== null && readFailure(update.error).code === 'settings_changed';

  async function goOnFromTheirs(keepsMine: boolean) {
    try {
      const theirs = await onReadAnew();
      setValues({ ...(keepsMine ? keepChanged(opened, values, theirs) : theirs), version: theirs.version });
      setOpened(theirs);
      update.reset();
    } catch (error) {
      notify.error(errorMessage(error));
    }
  }

  async function save() {
    try {
      const kept = await update.mutateAsync(values);
      setOpened(kept);
      setValues(kept);
      notify.success(t('settings.saved'), { duration: SETTINGS_TOAST_MS });
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayChange && isChanged && problem === null) void save();
      }}
    >
      {mayChange ? null : <Banner tone="info">{t('settings.readOnly')}</Banner>}
      <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
        {children(
          values,
          (patch) => {
            setValues((before) => ({ ...before, ...patch }));
            update.reset();
          },
          opened,
        )}
      </fieldset>
      {isConflict ? (
        <ConflictBanner
          ways={[
            { label: t('settings.loadTheirs'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('settings.keepMine'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('settings.changed')}
        </ConflictBanner>
      ) : update.error ? (
        <Banner tone="danger">{errorMessage(update.error)}</Banner>
      ) : null}
      {mayChange ? (
        <SaveBar>
          {problem ? (
            <p className="mr-auto flex min-w-0 flex-wrap items-center gap-x-2 text-sm text-danger">
              {problem}
              {onShowProblem ? (
                <Button variant="ghost" size="small" onClick={() => onShowProblem(values)}>
                  {t('settings.showProblem')}
                </Button>
              ) : null}
            </p>
          ) : null}
          {isChanged && !problem ? (
            <p className="mr-auto text-sm text-muted">{t('settings.unsaved')}</p>
          ) : null}
          {isChanged ? (
            <Button
              disabled={update.isPending}
              onClick={() => {
                setValues(opened);
                update.reset();
              }}
            >
              {t('settings.discard')}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant="primary"
            loading={update.isPending}
            disabled={!isChanged || problem !== null}
          >
            {t('settings.save')}
          </Button>
        </SaveBar>
      ) : null}
    </form>
  );
}
