import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useConfirm } from '../ui/overlays/confirm.tsx';
import { t } from './messages.ts';
import { markUnsaved } from './actions/unsaved-forms.ts';

/**
 * Asks before what was typed is lost: inside the app in a dialog, on closing the tab by the browser. A form in a dialog
 * names the part of the address, or the parts, that keep it open, so that Escape, Cancel and Back ask alike. The function that comes
 * back closes without a question, for what is saved.
 */
export function useUnsavedWarning(
  dirty: boolean,
  dialogKey?: string | readonly string[],
  /** Of a form that is kept on this device, so that a closed tab loses nothing: what happens when somebody gives it up. */
  onGivenUp?: () => void,
): (close: () => void) => void {
  const confirm = useConfirm();
  const isSaved = useRef(false);
  useEffect(() => (dirty ? markUnsaved() : undefined), [dirty]);
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: dirty && !onGivenUp,
    shouldBlockFn: async ({ current, next }) => {
      // A change of search (a tab, a filter) keeps a form on the page.
      if (isSaved.current || (current.pathname === next.pathname && keeps(current, next, dialogKey)))
        return false;
      const leave = await confirm({
        title: t('common.unsavedTitle'),
        text: t('common.unsavedText'),
        confirmLabel: t('common.unsavedLeave'),
        cancelLabel: t('common.unsavedStay'),
      });
      if (leave) onGivenUp?.();
      return !leave;
    },
  });
  return (close) => {
    isSaved.current = true;
    close();
  };
}

type Place = { search: Record<string, unknown> };

function keeps(current: Place, next: Place, dialogKey: string | readonly string[] | undefined): boolean {
  return [dialogKey ?? []].flat().every((key) => current.search[key] === next.search[key]);
}
