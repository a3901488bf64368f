import { useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshContacts, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { contactErrorMessage, type AfterGone } from './use-delete-contact.ts';

/** Says what goes for good, and erases the person. Answers whether that was done. */
export function useEraseContact(): (contact: Contact, afterGone?: AfterGone) => Promise<boolean> {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const erase = useAction(orpc.contacts.erase.mutationOptions());

  return async (contact, afterGone) => {
    let isErased = false;
    await confirm({
      title: t('contacts.eraseQuestion'),
      text: t('contacts.eraseText', { name: contact.name }),
      confirmLabel: t('contacts.erase'),
      work: async () => {
        try {
          await erase.mutateAsync({ contactId: contact.id });
          isErased = true;
          notify.success(t('contacts.erased'));
        } catch (error) {
          notify.error(contactErrorMessage(error));
        }
      },
    });
    if (isErased) await afterGone?.();
    await refreshContacts(queryClient);
    return isErased;
  };
}
