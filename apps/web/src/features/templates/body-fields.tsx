import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { templateLimits } from '@app/domain/templates/template-rules';
import { t } from '../../shared/messages.ts';
import { markByKey } from '../../shared/writing/mark-list.tsx';
import { WritingTools } from '../../shared/writing/writing-tools.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { FormPart } from './form-part.tsx';
import { alignSamples, offeredVariables, type TemplateFormValues } from './template-form.ts';
import { TextCounter } from './text-counter.tsx';
import { useFormOfTemplate } from './use-template-form.ts';

export function BodyFields() {
  const { register, control, formState } = useFormOfTemplate();
  const body = useWatch({ control, name: 'body' });
  const area = useRef<HTMLTextAreaElement | null>(null);
  const { ref, ...field } = register('body');

  return (
    <FormPart title={t('templates.form.body')}>
      <div className="flex flex-col gap-2">
        <Field
          label={t('templates.form.bodyText')}
          required
          error={formState.errors.body?.message}
          aside={<TextCounter text={body} limit={templateLimits.bodyText} />}
        >
          <Textarea
            {...field}
            ref={(element) => {
              ref(element);
              area.current = element;
            }}
            rows={6}
            onKeyDown={markByKey}
            placeholder={t('templates.form.bodyPlaceholder')}
          />
        </Field>
        <WritingTools
          field={area}
          variables={offeredVariables(body).map((name) => ({ name, label: `{{${name}}}` }))}
        />
      </div>
      <SampleFields />
    </FormPart>
  );
}

/** One sample for each variable, wherever in the message it stands. */
function SampleFields() {
  const { register, control, getValues, setValue } = useFormOfTemplate();
  const values = useWatch({ control }) as TemplateFormValues; // every field has a default
  const names = alignSamples(values).map(({ name }) => name);
  const current = values.samples.map(({ name }) => name);
  const isAligned = names.join('\n') === current.join('\n');
  useEffect(() => {
    if (!isAligned) setValue('samples', alignSamples(getValues()));
  }, [isAligned, getValues, setValue]);

  if (!isAligned || names.length === 0) return null;
  return (
    <FieldGroup legend={t('templates.form.samples')} hint={t('templates.form.samplesHint')}>
      <div className="grid gap-3 sm:grid-cols-2">
        {names.map((name, index) => (
          <Field key={name} label={<span className="font-mono text-sm font-normal">{`{{${name}}}`}</span>}>
            <Input
              {...register(`samples.${index}.value`)}
              maxLength={templateLimits.sample}
              autoComplete="off"
            />
          </Field>
        ))}
      </div>
    </FieldGroup>
  );
}
