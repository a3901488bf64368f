import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc, readFailure } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import type { ContactChoice } from '../../../shared/contacts/bulk-removal.ts';
import { refreshContacts } from '../../../shared/contacts/contacts-queries.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { followOperation } from '../../../shared/operations/follow-operation.ts';
import { isOperationOver, type Operation } from '../../../shared/operations/operations.ts';
import { t } from '../../../shared/messages.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { Field } from '../../../ui/field.tsx';
import { DateTimeInput } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { ConsentKindField, ConsentTextField, type ConsentKind } from '../consent-fields.tsx';

/** What many said about marketing elsewhere, with how, in which words and when. */
export function BulkConsentDialog({
  count,
  choice,
  onDone,
  onClose,
}: {
  count: number;
  choice: ContactChoice;
  onDone: () => void;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<ConsentKind>('opt_in');
  const [text, setText] = useState('');
  const [at, setAt] = useState('');
  const [problem, setProblem] = useState<string>();
  const [textProblem, setTextProblem] = useState<string>();
  const isBegun = text !== '' || at !== '';
  const closeSaved = useUnsavedWarning(isBegun);
  const queryClient = useQueryClient();
  const record = useAction(orpc.contactActs.recordConsents.mutationOptions());
  const optedOut = useQuery(orpc.contactActs.countOptedOut.queryOptions({ input: { choice } })).data
    ?.optedOut;

  async function tellWhenDone(begun: Operation) {
    const operation = isOperationOver(begun) ? begun : await followOperation(begun.id);
    await refreshContacts(queryClient);
    await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
    if (operation?.state !== 'done') return;
    const stay = kind === 'opt_in' ? (operation.total ?? operation.done) - operation.done : 0;
    notify.success(t('contacts.bulk.consentDone', { n: operation.done }), {
      text: stay > 0 ? t('contacts.bulk.consentKept', { n: stay }) : undefined,
    });
  }

  async function save() {
    if (text.trim() === '') {
      setTextProblem(t('contacts.consent.textNeeded'));
      return;
    }
    const occurredAt = at === '' ? {} : { occurredAt: new Date(at).toISOString() };
    try {
      const begun = await record.mutateAsync({ choice, kind, text, ...occurredAt });
      void tellWhenDone(begun);
      onDone();
      closeSaved(onClose);
    } catch (error) {
      if (readFailure(error).code === 'contact_consent_future') setProblem(t('contacts.bulk.consentFuture'));
      else notify.error(errorMessage(error));
    }
  }

  return (
    <FormDialog
      closeOnOutsidePress={!isBegun}
      title={t('contacts.consent.recordTitle')}
      description={t('contacts.filterCount', { n: count })}
      submitLabel={t('contacts.save')}
      isSaving={record.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <ConsentKindField kind={kind} onChange={setKind} />
      {kind === 'opt_in' && optedOut ? (
        <Banner tone="warning">{t('contacts.bulk.consentStay', { n: optedOut })}</Banner>
      ) : null}
      <ConsentTextField
        text={text}
        problem={textProblem}
        onChange={(value) => {
          setTextProblem(undefined);
          setText(value);
        }}
      />
      <Field label={t('contacts.bulk.consentWhen')} hint={t('contacts.bulk.consentWhenHint')} error={problem}>
        <DateTimeInput
          value={at}
          onChange={(event) => {
            setProblem(undefined);
            setAt(event.target.value);
          }}
        />
      </Field>
    </FormDialog>
  );
}
