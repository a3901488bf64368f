import { useQueryClient } from '@tanstack/react-query';
import { orpc, readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';
import { markUndone, type ContactImport } from './running-import.ts';

export type UndoImport = ReturnType<typeof useUndoImport>;

export function useUndoImport() {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const undo = useAction(orpc.contactImports.undo.mutationOptions());
  return {
    isAllowed: can('contacts:update') && can('contacts:delete'),
    async ask({ id, successful }: ContactImport): Promise<void> {
      await confirm({
        title: t('contacts.importUndoQuestion'),
        text: t('contacts.importUndoText', { n: successful }),
        confirmLabel: t('contacts.importUndo'),
        work: async () => {
          try {
            const { removed, restored, kept } = await undo.mutateAsync({ importId: id });
            markUndone(id);
            notify.success(t('contacts.importUndone', { removed, restored }), {
              text: kept > 0 ? t('contacts.importUndoneKept', { n: kept }) : undefined,
            });
          } catch (error) {
            const isLate = readFailure(error).code === 'contact_import_not_undoable';
            notify.error(isLate ? t('contacts.importUndoneBefore') : errorMessage(error));
          }
          await refreshContacts(queryClient);
        },
      });
    },
  };
}
