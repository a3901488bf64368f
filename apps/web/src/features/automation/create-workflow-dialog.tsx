import { emptyFlow, flowLimits, type FlowFile } from '@app/domain/flows/flow-file';
import { findStepType } from '@app/domain/flows/step-types';
import { findTriggerType, triggerTypesOf } from '@app/domain/flows/trigger-types';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { changeStep, changeTrigger, newTrigger } from './editor/flow-draft.ts';
import { FlowFields } from './editor/flow-fields.tsx';
import { valuesFor } from './editor/flow-values.ts';
import { triggerName } from './flow-words.ts';
import {
  buildWorkflowTemplate,
  workflowTemplateNames,
  type WorkflowTemplate,
  type WorkflowTemplateName,
} from './workflow-templates.ts';
import { workflowErrorMessage } from './workflows-queries.ts';

/** Makes a draft, empty or of a template, and opens its editor. */
export function CreateWorkflowDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [trigger, setTrigger] = useState<string | null>(null);
  const [template, setTemplate] = useState<{ name: WorkflowTemplateName } & WorkflowTemplate>();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useAction(orpc.workflows.create.mutationOptions());
  const isDirty = name !== '' || description !== '' || trigger !== null || template !== undefined;
  const closeSaved = useUnsavedWarning(isDirty, 'form');

  async function save() {
    const named = { name: name.trim(), description: description.trim() };
    const empty = emptyFlow('workflow', named.name, named.description);
    const flow: FlowFile = template
      ? { ...template.flow, ...named }
      : { ...empty, triggers: trigger === null ? [] : [newTrigger(empty, trigger)] };
    try {
      const made = await create.mutateAsync(flow);
      void queryClient.invalidateQueries({ queryKey: orpc.workflows.list.key() });
      queryClient.setQueryData(orpc.workflows.get.queryKey({ input: { workflowId: made.id } }), made);
      closeSaved(() => void navigate({ to: paths.workflow(made.id) }));
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  function choose(chosen: WorkflowTemplateName | 'blank') {
    const next = chosen === 'blank' ? undefined : { name: chosen, ...buildWorkflowTemplate(chosen) };
    // What was typed stays; what another template had written goes with it.
    if (name === '' || name === template?.flow.name) setName(next?.flow.name ?? '');
    if (description === '' || description === template?.flow.description)
      setDescription(next?.flow.description ?? '');
    setTemplate(next);
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
      <Field label={t('automation.startFrom')} hint={template?.flow.description}>
        <Select
          value={template?.name ?? 'blank'}
          onChange={choose}
          options={[
            { value: 'blank' as const, label: t('automation.blank'), hint: t('automation.blankText') },
            ...workflowTemplateNames.map((value) => ({
              value,
              label: t(`automation.template.${value}`),
              hint: t(`automation.template.${value}.text`),
            })),
          ]}
        />
      </Field>
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
      {template ? (
        <TemplateFields template={template} onChange={(flow) => setTemplate({ ...template, flow })} />
      ) : (
        <Field label={t('automation.trigger')} hint={t('automation.triggerHint')}>
          <Select
            value={trigger}
            placeholder={t('automation.triggerLater')}
            options={triggerTypesOf('workflow').map(({ type }) => ({
              value: type,
              label: triggerName(type),
            }))}
            onChange={setTrigger}
          />
        </Field>
      )}
    </FormDialog>
  );
}

/** What only the business can fill; what is left empty is asked again before publishing. */
function TemplateFields({
  template: { flow, asks },
  onChange,
}: {
  template: WorkflowTemplate;
  onChange: (flow: FlowFile) => void;
}) {
  const fields = useCustomFields() ?? [];
  return (
    <>
      {asks.map(({ place, id, fields: names }) => {
        const part = (place === 'step' ? flow.steps : flow.triggers).find((one) => one.id === id);
        const type = place === 'step' ? findStepType(part?.type ?? '') : findTriggerType(part?.type ?? '');
        return part && type ? (
          <FlowFields
            key={id}
            type={part.type}
            fields={type.fields.filter((field) => names.includes(field.name))}
            config={part.config}
            values={place === 'step' ? valuesFor(flow, id, { fields, samples: [] }) : []}
            problemOf={() => undefined}
            onChange={(config) =>
              onChange(
                place === 'step' ? changeStep(flow, id, { config }) : changeTrigger(flow, id, { config }),
              )
            }
          />
        ) : null;
      })}
    </>
  );
}
