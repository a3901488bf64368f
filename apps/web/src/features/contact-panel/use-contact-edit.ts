import { customValueProblems, writeCustomValue } from '@app/domain/custom-fields/custom-field';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { contactOptions, refreshContacts, type Contact } from '../../shared/contacts/contacts-queries.ts';
import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { contactErrorMessage } from '../contacts/use-delete-contact.ts';
import { customProblemText } from '../contacts/custom-value-fields.tsx';
import type { SaveOutcome } from './editable-line.tsx';

type Change = Omit<Parameters<typeof api.contacts.update>[0], 'contactId' | 'version'>;

/**
 * Saves one value of a contact. Whatever else somebody changed meanwhile stays; only when it was this value it is said, and nothing is
 * overwritten.
 */
export function useContactEdit(contact: Contact) {
  const queryClient = useQueryClient();
  const update = useAction(orpc.contacts.update.mutationOptions());

  return async function save<Value>(
    { change, read, field }: { change: Change; read: (contact: Contact) => Value; field?: CustomField },
    seen: Value,
  ): Promise<SaveOutcome<Value>> {
    let version = contact.version;
    for (let attempt = 0; ; attempt += 1)
      try {
        const saved = await update.mutateAsync({ contactId: contact.id, version, ...change });
        queryClient.setQueryData(contactOptions(contact.id).queryKey, saved);
        await refreshContacts(queryClient);
        return { kind: 'saved' };
      } catch (error) {
        if (readFailure(error).code !== 'contact_changed' || attempt > 1)
          return { kind: 'wrong', text: sayFailure(error, field) };
        const theirs = await api.contacts.get({ contactId: contact.id }).catch(() => null);
        if (!theirs) return { kind: 'wrong', text: contactErrorMessage(error) };
        queryClient.setQueryData(contactOptions(contact.id).queryKey, theirs);
        const value = read(theirs);
        if (JSON.stringify(value) !== JSON.stringify(seen)) return { kind: 'theirs', value };
        version = theirs.version;
      }
  };
}

/** As text, the way that forms hold it. */
export function readCustom(contact: Contact, key: string): string {
  return writeCustomValue(contact.customFields[key] ?? '');
}

function sayFailure(error: unknown, field: CustomField | undefined): string {
  const { code, values, issues, field: place } = readFailure(error);
  const problem = customValueProblems.find((known) => known === values['problem']);
  if (field && problem) return customProblemText(field, problem);
  if (code !== 'invalid_input') return contactErrorMessage(error);
  return place === 'email' || issues.some((issue) => issue.field === 'email')
    ? t('contacts.error.email')
    : t('contacts.error.field');
}
