import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc, readFailure } from '../../../shared/api.ts';
import { useAct } from '../../../shared/acts/use-act.ts';
import type { ContactChoice } from '../../../shared/contacts/bulk-removal.ts';
import { refreshContacts } from '../../../shared/contacts/contacts-queries.ts';
import { failureText } from '../../../shared/failure-text.ts';
import { followAct } from '../../../shared/long-acts/follow-act.ts';
import { isActOver, type LongAct } from '../../../shared/long-acts/long-acts.ts';
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
  const record = useAct(orpc.contactActs.recordConsents.mutationOptions());
  const optedOut = useQuery(orpc.contactActs.countOptedOut.queryOptions({ input: { choice } })).data
    ?.optedOut;

  async function tellWhenDone(begun: LongAct) {
    const act = isActOver(begun) ? begun : await followAct(begun.id);
    await refreshContacts(queryClient);
    await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
    if (act?.state !== 'done') return;
    const stay = kind === 'opt_in' ? (act.total ?? act.done) - act.done : 0;
    notify.success(t('contacts.bulk.consentDone', { n: act.done }), {
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
      else notify.error(failureText(error));
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
