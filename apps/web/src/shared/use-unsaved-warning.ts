import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from '../ui/confirm.tsx';
import { t } from './messages.ts';

/** Asks before leaving a form with changes: inside the app in a dialog, on closing the tab by the browser. */
export function useUnsavedWarning(dirty: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: dirty,
    shouldBlockFn: async ({ current, next }) => {
      // A change of search (a tab, a filter) keeps the form.
      if (current.pathname === next.pathname) return false;
      const leave = await confirm({
        title: t('common.unsavedTitle'),
        text: t('common.unsavedText'),
        confirmLabel: t('common.unsavedLeave'),
        cancelLabel: t('common.unsavedStay'),
      });
      return !leave;
    },
  });
}
