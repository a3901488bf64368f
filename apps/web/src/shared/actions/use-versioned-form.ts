import { useState } from 'react';
import { notify } from '../../ui/toast.ts';
import { readFailure } from '../api.ts';
import { useUnsavedWarning } from '../use-unsaved-warning.ts';
import { keepChanged } from './keep-changed.ts';
import { SETTINGS_TOAST_MS } from './settings-toast.ts';
import { useAction } from './use-action.ts';

type Versioned = { version: number };

/**
 * Settings that are edited as a whole and saved with the version that the person saw: warns of what is not saved, and of what somebody
 * else saved meanwhile.
 */
export function useVersionedForm<Saved extends Versioned, Values extends Versioned>({
  saved,
  valuesOf,
  onSave,
  onReadAnew,
  savedText,
  conflictCode,
  errorMessage,
}: {
  saved: Saved;
  /** What is edited, as the form shows it. */
  valuesOf: (saved: Saved) => Values;
  /** Answers with what is kept from then on. */
  onSave: (values: Values) => Promise<Saved>;
  /** What somebody else saved meanwhile. */
  onReadAnew: () => Promise<Saved>;
  savedText: () => string;
  /** The error that says that somebody else saved a newer version. */
  conflictCode: string;
  errorMessage: (error: unknown) => string;
}) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(saved);
  const [values, setValues] = useState(() => valuesOf(saved));
  const update = useAction({ mutationFn: onSave });
  const isChanged = JSON.stringify(values) !== JSON.stringify(valuesOf(opened));
  // Without changes of one's own the form shows at once what another person saved.
  if (!isChanged && saved.version > opened.version) takeOver(saved);
  useUnsavedWarning(isChanged, 'tab');

  function takeOver(next: Saved) {
    setOpened(next);
    setValues(valuesOf(next));
  }

  return {
    opened,
    values,
    isChanged,
    isSaving: update.isPending,
    error: update.error,
    isConflict: update.error !== null && readFailure(update.error).code === conflictCode,
    change(patch: Partial<Values>) {
      setValues((before) => ({ ...before, ...patch }));
      update.reset();
    },
    discard() {
      setValues(valuesOf(opened));
      update.reset();
    },
    async goOnFromTheirs(keepsMine: boolean) {
      try {
        const theirs = await onReadAnew();
        const shown = valuesOf(theirs);
        const kept = keepsMine ? keepChanged(valuesOf(opened), values, shown) : shown;
        setValues({ ...kept, version: theirs.version });
        setOpened(theirs);
        update.reset();
      } catch (error) {
        notify.error(errorMessage(error));
      }
    },
    async save() {
      try {
        takeOver(await update.mutateAsync(values));
        notify.success(savedText(), { duration: SETTINGS_TOAST_MS });
      } catch {
        // Shown in the form, from the failed call.
      }
    },
  };
}
