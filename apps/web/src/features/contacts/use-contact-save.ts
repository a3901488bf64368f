import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { customValueProblems } from '@app/domain/custom-fields/custom-field';
import { api, orpc, readFailure } from '../../shared/api.ts';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { notify } from '../../ui/toast.ts';
import {
  changesOf,
  contactFields,
  differingCustomKeys,
  differingFields,
  mergeValues,
  toValues,
  type ContactField,
  type ContactValues,
} from './contact-values.ts';
import { refreshContacts, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { customProblemText } from './custom-value-fields.tsx';
import { contactErrorMessage } from './use-delete-contact.ts';

/** What came in between: somebody else changed the contact, or deleted it. */
type Conflict =
  | { kind: 'changed'; theirs: Contact; fields: ContactField[]; customKeys: string[] }
  | { kind: 'deleted' };

/** Where the server says that a custom value is wrong: `customFields.shoe_size`. */
const CUSTOM = 'customFields.';

export type ContactSave = ReturnType<typeof useContactSave>;

/** Saves over the version that was seen, and keeps everything that was typed when the server says no. */
export function useContactSave(
  form: UseFormReturn<ContactValues>,
  {
    contact,
    fields,
    country,
    onSaved,
  }: {
    contact: Contact | undefined;
    fields: readonly CustomField[];
    /** Of a number without a country code. */
    country: PhoneCountry | undefined;
    onSaved: () => void;
  },
) {
  const queryClient = useQueryClient();
  const create = useAction(orpc.contacts.create.mutationOptions());
  const update = useAction(orpc.contacts.update.mutationOptions());
  const [base, setBase] = useState(contact);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const isSaving = create.isPending || update.isPending;

  async function write(values: ContactValues): Promise<void> {
    if (isSaving) return;
    let optedOutAt: string | null = null;
    try {
      if (base)
        ({ optedOutAt } = await update.mutateAsync({
          contactId: base.id,
          version: base.version,
          ...changesOf(values, base),
          country,
        }));
      else {
        const { custom: customFields, email, language, ...rest } = values;
        ({ optedOutAt } = await create.mutateAsync({
          ...{ ...rest, country, email: email.trim() || null, language: language || null, customFields },
        }));
      }
    } catch (error) {
      await explain(error);
      return;
    }
    notify.success(base ? t('contacts.updated') : t('contacts.added'));
    // What somebody said under this number outlives the contact that had it then.
    if (optedOutAt !== null && !base?.optedOutAt)
      notify.info(t('contacts.isOptedOut', { date: formatDate(optedOutAt) }));
    onSaved();
    await refreshContacts(queryClient);
  }

  async function explain(error: unknown): Promise<void> {
    const { code, field, issues } = readFailure(error);
    if (code === 'contact_changed' && base) return showTheirs(base);
    if (code === 'contact_not_found') return setConflict({ kind: 'deleted' });
    if (field?.startsWith(CUSTOM)) return showCustomFailure(field.slice(CUSTOM.length), error);
    const name = contactFields.find((known) => known === field?.split('.')[0]);
    if (!name) {
      notify.error(contactErrorMessage(error));
      return;
    }
    const message = code === 'invalid_input' ? (issues[0]?.message ?? '') : contactErrorMessage(error);
    form.setError(
      name,
      { message: name === 'email' ? t('contacts.error.email') : message },
      { shouldFocus: true },
    );
  }

  function showCustomFailure(key: string, error: unknown): void {
    const field = fields.find((known) => known.key === key);
    const problem = customValueProblems.find((known) => known === readFailure(error).values['problem']);
    if (!field || !problem) return void notify.error(t('contacts.field.goneInForm'));
    form.setError(`custom.${key}`, { message: customProblemText(field, problem) }, { shouldFocus: true });
  }

  async function showTheirs(seen: Contact): Promise<void> {
    try {
      const theirs = await api.contacts.get({ contactId: seen.id });
      const [before, now] = [toValues(seen, fields), toValues(theirs, fields)];
      const customKeys = differingCustomKeys(before, now);
      setConflict({ kind: 'changed', theirs, fields: differingFields(before, now), customKeys });
    } catch (error) {
      if (readFailure(error).code === 'contact_not_found') setConflict({ kind: 'deleted' });
      else notify.error(contactErrorMessage(error));
    }
  }

  /** Their state becomes what the next save is checked against; `mine` goes on top of it. */
  function goOnFrom(theirs: Contact, mine?: ContactValues): void {
    const values = toValues(theirs, fields);
    form.reset(values);
    if (mine) form.reset(mergeValues(toValues(base, fields), mine, values), { keepDefaultValues: true });
    setBase(theirs);
    setConflict(null);
  }

  return {
    isNew: base === undefined,
    isSaving,
    conflict,
    submit: form.handleSubmit(write),
    loadTheirs: (theirs: Contact) => goOnFrom(theirs),
    keepMine: (theirs: Contact) => goOnFrom(theirs, form.getValues()),
    /** What was typed is saved as a contact of its own. */
    startAnew: () => {
      setBase(undefined);
      setConflict(null);
    },
  };
}
