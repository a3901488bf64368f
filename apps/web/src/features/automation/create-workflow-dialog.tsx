import { emptyFlow, flowLimits } from '@app/domain/flows/flow-file';
import { triggerTypesOf } from '@app/domain/flows/trigger-types';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { newTrigger } from './editor/flow-draft.ts';
import { triggerName } from './flow-words.ts';
import { workflowErrorMessage } from './workflows-queries.ts';

/** Makes an empty draft with a name and a trigger, and opens its editor. */
export function CreateWorkflowDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [trigger, setTrigger] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useAction(orpc.workflows.create.mutationOptions());
  const isDirty = name !== '' || description !== '' || trigger !== null;
  const closeSaved = useUnsavedWarning(isDirty, 'form');

  async function save() {
    const flow = emptyFlow('workflow', name.trim(), description.trim());
    try {
      const made = await create.mutateAsync({
        ...flow,
        triggers: trigger === null ? [] : [newTrigger(flow, trigger)],
      });
      void queryClient.invalidateQueries({ queryKey: orpc.workflows.list.key() });
      queryClient.setQueryData(orpc.workflows.get.queryKey({ input: { workflowId: made.id } }), made);
      closeSaved(() => void navigate({ to: paths.workflow(made.id) }));
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  return (
    <FormDialog
      title={t('automation.create')}
      description={t('automation.createPurpose')}
      submitLabel={t('automation.createSubmit')}
      isReady={name.trim() !== ''}
      whyNot={t('automation.nameNeeded')}
      isSaving={create.isPending}
      closeOnOutsidePress={!isDirty}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {create.error ? <Banner tone="danger">{workflowErrorMessage(create.error)}</Banner> : null}
      <Field label={t('automation.name')} required>
        <Input
          value={name}
          maxLength={flowLimits.name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={t('automation.description')}>
        <Textarea
          rows={2}
          value={description}
          maxLength={flowLimits.description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <Field label={t('automation.trigger')} hint={t('automation.triggerHint')}>
        <Select
          value={trigger}
          placeholder={t('automation.triggerLater')}
          options={triggerTypesOf('workflow').map(({ type }) => ({ value: type, label: triggerName(type) }))}
          onChange={setTrigger}
        />
      </Field>
    </FormDialog>
  );
}
