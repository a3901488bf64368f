import { Bold, Code, Italic, Strikethrough } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { templateLimits } from '@app/domain/templates/template-rules';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { FormPart } from './form-part.tsx';
import { alignSamples, offeredVariables, type TemplateFormValues } from './template-form.ts';
import { TextCounter } from './text-counter.tsx';
import { useFormOfTemplate } from './use-template-form.ts';

const marks = [
  { key: 'bold', mark: '*', icon: Bold },
  { key: 'italic', mark: '_', icon: Italic },
  { key: 'strike', mark: '~', icon: Strikethrough },
  { key: 'mono', mark: '```', icon: Code },
] as const;

export function BodyFields() {
  const { register, control, setValue, formState } = useFormOfTemplate();
  const body = useWatch({ control, name: 'body' });
  const area = useRef<HTMLTextAreaElement | null>(null);
  const { ref, ...field } = register('body');

  /** Puts marks around what is selected, or a text where the cursor stands. */
  function insert(before: string, after = '') {
    const element = area.current;
    if (!element) return;
    const { selectionStart: start, selectionEnd: end, value } = element;
    const selected = value.slice(start, end);
    setValue('body', value.slice(0, start) + before + selected + after + value.slice(end), {
      shouldDirty: true,
    });
    element.focus();
    const cursor = start + before.length + selected.length;
    element.setSelectionRange(selected === '' ? cursor : start + before.length, cursor);
  }

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
            placeholder={t('templates.form.bodyPlaceholder')}
          />
        </Field>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <div role="group" aria-label={t('templates.form.format')} className="flex">
            {marks.map(({ key, mark, icon: Icon }) => (
              <IconButton
                key={key}
                label={t(`templates.form.${key}`)}
                size="small"
                onClick={() => insert(mark, mark)}
              >
                <Icon aria-hidden />
              </IconButton>
            ))}
          </div>
          <div
            role="group"
            aria-label={t('templates.form.insertVariable')}
            className="flex flex-wrap gap-1.5"
          >
            {offeredVariables(body).map((name) => (
              <button
                key={name}
                type="button"
                onClick={() => insert(`{{${name}}}`)}
                className="min-h-6 rounded-full bg-primary-soft px-2.5 text-sm font-medium text-primary-text hover:bg-hover"
              >
                {`{{${name}}}`}
              </button>
            ))}
          </div>
        </div>
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
