import { useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { notifyWithUndo } from '../../shared/undo.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshContacts, type Contact } from '../../shared/contacts/contacts-queries.ts';

/** What follows when a contact is gone, before anything is read anew: a page of its own is left first. */
export type AfterGone = () => Promise<unknown>;

/** Asks with the product's dialog, deletes, and offers Undo. Answers whether the contact is gone. */
export function useDeleteContact(): (contact: Contact, afterGone?: AfterGone) => Promise<boolean> {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAction(orpc.contacts.remove.mutationOptions());
  const restore = useAction(orpc.contacts.restore.mutationOptions());

  async function undo({ id, name }: Contact): Promise<void> {
    try {
      await restore.mutateAsync({ contactId: id });
      notify.success(t('contacts.restored', { name }));
    } catch (error) {
      notify.error(contactErrorMessage(error));
    }
    await refreshContacts(queryClient);
  }

  return async (contact, afterGone) => {
    let isGone = false;
    await confirm({
      title: t('contacts.deleteQuestion'),
      text: t('contacts.deleteText', { name: contact.name }),
      confirmLabel: t('common.delete'),
      work: async () => {
        try {
          await remove.mutateAsync({ contactId: contact.id });
          isGone = true;
          notifyWithUndo(t('contacts.deleted'), () => undo(contact));
        } catch (error) {
          notify.error(contactErrorMessage(error));
        }
      },
    });
    if (isGone) await afterGone?.();
    await refreshContacts(queryClient);
    return isGone;
  };
}

export const contactErrorMessage = errorMessageOf({
  contact_not_found: 'contacts.error.notFound',
  contact_phone_taken: 'contacts.error.phoneTaken',
  contact_erased: 'contacts.error.erased',
  contact_phone_invalid: 'contacts.error.phoneInvalid',
});
