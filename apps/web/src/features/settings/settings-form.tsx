import type { ReactNode } from 'react';
import { useVersionedForm } from '../../shared/actions/use-versioned-form.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { SaveBar } from '../../shared/actions/save-bar.tsx';
import { Banner } from '../../ui/states.tsx';

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
  const form = useVersionedForm({
    saved,
    valuesOf: (kept) => kept,
    ...{ onSave, onReadAnew, errorMessage },
    savedText: () => t('settings.saved'),
    conflictCode: 'settings_changed',
  });
  const { opened, values, isChanged, isSaving } = form;
  const mayChange = can('settings:manage');
  const problem = findProblem(values);

  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayChange && isChanged && problem === null) void form.save();
      }}
    >
      {mayChange ? null : <Banner tone="info">{t('settings.readOnly')}</Banner>}
      <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
        {/* A part of the values is a part of them with their version. */}
        {children(values, (patch) => form.change(patch as Partial<typeof values>), opened)}
      </fieldset>
      {form.isConflict ? (
        <ConflictBanner
          ways={[
            { label: t('settings.loadTheirs'), onSelect: () => void form.goOnFromTheirs(false) },
            { label: t('settings.keepMine'), onSelect: () => void form.goOnFromTheirs(true) },
          ]}
        >
          {t('settings.changed')}
        </ConflictBanner>
      ) : form.error ? (
        <Banner tone="danger">{errorMessage(form.error)}</Banner>
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
            <Button disabled={isSaving} onClick={form.discard}>
              {t('settings.discard')}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant="primary"
            loading={isSaving}
            disabled={!isChanged || problem !== null}
          >
            {t('settings.save')}
          </Button>
        </SaveBar>
      ) : null}
    </form>
  );
}
