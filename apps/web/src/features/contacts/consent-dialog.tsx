import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshContacts, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { ConsentKindField, ConsentTextField, type ConsentKind } from './consent-fields.tsx';
import { contactErrorMessage } from './use-delete-contact.ts';

/** Consent given elsewhere, such as on paper or in a call, with how and what was said. */
export function ConsentDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const [kind, setKind] = useState<ConsentKind>(contact.optedOutAt ? 'opt_in' : 'opt_out');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const closeSaved = useUnsavedWarning(text !== '', 'dialog');
  const queryClient = useQueryClient();
  const record = useAction(orpc.contacts.recordConsent.mutationOptions());

  async function save() {
    if (text.trim() === '') {
      setProblem(t('contacts.consent.textNeeded'));
      return;
    }
    try {
      await record.mutateAsync({ contactId: contact.id, kind, text });
    } catch (error) {
      if (readFailure(error).code === 'invalid_input') setProblem(t('contacts.consent.textNeeded'));
      else notify.error(contactErrorMessage(error));
      return;
    }
    notify.success(t('contacts.consent.recorded'));
    closeSaved(onClose);
    await refreshContacts(queryClient);
  }

  return (
    <FormDialog
      closeOnOutsidePress={text === ''}
      size="small"
      title={t('contacts.consent.recordTitle')}
      description={contact.name}
      submitLabel={t('contacts.save')}
      isSaving={record.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <ConsentKindField kind={kind} onChange={setKind} />
      <ConsentTextField
        text={text}
        problem={problem}
        onChange={(value) => {
          setProblem(undefined);
          setText(value);
        }}
      />
    </FormDialog>
  );
}
