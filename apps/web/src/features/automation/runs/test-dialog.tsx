import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { Combobox } from '../../../ui/controls/combobox.tsx';
import type { SelectOption } from '../../../ui/controls/select.tsx';
import { Field, FieldGroup } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { usePickableContacts } from '../../sending/audience/audience-queries.ts';
import { valueName } from '../flow-words.ts';
import { workflowErrorMessage, type WorkflowDetails } from '../workflows-queries.ts';
import { asTriggerValues, usedTriggerValues } from './trigger-values.ts';

/** Sends one contact through the draft. What its steps do is real, and the dialog says so. */
export function TestDialog({
  workflow,
  onBegun,
  onClose,
}: {
  workflow: WorkflowDetails;
  onBegun: (runId: string) => void;
  onClose: () => void;
}) {
  useMessages('sending');
  const [contact, setContact] = useState<SelectOption | null>(null);
  const [search, setSearch] = useState('');
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const people = usePickableContacts(search);
  const used = usedTriggerValues(workflow.flow);
  const begin = useAction({
    mutationFn: (contactId: string) =>
      api.workflowRuns.test({ workflowId: workflow.id, contactId, values: asTriggerValues(typed) }),
    onSuccess: ({ runId }) => onBegun(runId),
  });
  return (
    <FormDialog
      title={t('workflowRuns.test.title')}
      description={t('workflowRuns.test.text')}
      submitLabel={t('workflowRuns.test.submit')}
      submitIcon={<FlaskConical aria-hidden />}
      isReady={contact !== null}
      whyNot={t('workflowRuns.test.chooseFirst')}
      isSaving={begin.isPending}
      onSubmit={() => contact && begin.mutate(contact.value)}
      onClose={onClose}
    >
      {begin.error ? <Banner tone="danger">{workflowErrorMessage(begin.error)}</Banner> : null}
      <Banner tone="warning">{t('workflowRuns.test.isReal')}</Banner>
      <Field label={t('workflowRuns.test.contact')} hint={t('workflowRuns.test.contactHint')} required>
        <Combobox
          value={contact}
          onChange={setContact}
          onSearch={setSearch}
          loading={people.isFetching}
          searchedHere={people.searched}
          placeholder={t('workflowRuns.test.findContact')}
          emptyText={t('workflowRuns.test.noContact')}
          options={people.contacts.map(({ id, name, phone }) => ({
            value: id,
            label: name,
            hint: phone ?? undefined,
          }))}
        />
      </Field>
      {used.length === 0 ? null : (
        <FieldGroup legend={t('workflowRuns.test.values')}>
          {used.map((path) => (
            <Field key={path} label={valueName(`trigger.${path}`, new Map())}>
              <Input
                dir="auto"
                value={typed.get(path) ?? ''}
                maxLength={1000}
                onChange={({ target }) => setTyped(new Map([...typed, [path, target.value]]))}
              />
            </Field>
          ))}
        </FieldGroup>
      )}
    </FormDialog>
  );
}
