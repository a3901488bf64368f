import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { buttonTypes } from '@app/domain/templates/template';
import { templateLimits } from '@app/domain/templates/template-rules';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { FormPart } from './form-part.tsx';
import { emptyButton } from './template-form.ts';
import { useFormOfTemplate } from './use-template-form.ts';

export function ButtonsFields() {
  const { control, setFocus } = useFormOfTemplate();
  const { fields, append, remove } = useFieldArray({ control, name: 'buttons' });
  return (
    <FormPart title={t('templates.form.buttons')}>
      {fields.map((field, index) => (
        <ButtonFields key={field.id} index={index} onRemove={() => remove(index)} />
      ))}
      {fields.length < templateLimits.buttons ? (
        <Button
          size="small"
          className="self-start"
          icon={<Plus aria-hidden />}
          onClick={() => {
            append({ ...emptyButton }, { shouldFocus: false });
            setTimeout(() => setFocus(`buttons.${fields.length}.text`));
          }}
        >
          {t('templates.form.addButton')}
        </Button>
      ) : (
        <p className="text-sm text-muted">{t('templates.form.buttonsFull', { n: templateLimits.buttons })}</p>
      )}
    </FormPart>
  );
}

function ButtonFields({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { register, control, formState } = useFormOfTemplate();
  const type = useWatch({ control, name: `buttons.${index}.type` });
  const errors = formState.errors.buttons?.[index];
  const n = index + 1;
  return (
    <div role="group" aria-label={t('templates.form.button', { n })} className="flex items-start gap-2">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
        <Field label={t('templates.form.buttonType', { n })} hideLabel>
          <NativeSelect {...register(`buttons.${index}.type`)}>
            {buttonTypes.map((value) => (
              <option key={value} value={value}>
                {t(`templates.form.type.${value}`)}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label={t('templates.form.buttonText', { n })} hideLabel error={errors?.text?.message}>
          <Input
            {...register(`buttons.${index}.text`)}
            placeholder={t('templates.form.textPlaceholder')}
            autoComplete="off"
          />
        </Field>
        {type === 'url' ? (
          <Field
            label={t('templates.form.buttonUrl', { n })}
            hideLabel
            error={errors?.url?.message}
            className="sm:col-start-2"
          >
            <Input
              type="url"
              {...register(`buttons.${index}.url`)}
              placeholder={t('templates.form.urlPlaceholder')}
              autoComplete="off"
            />
          </Field>
        ) : null}
        {type === 'phone_number' ? (
          <Field
            label={t('templates.form.buttonPhone', { n })}
            hideLabel
            error={errors?.phone_number?.message}
            className="sm:col-start-2"
          >
            <Input
              type="tel"
              {...register(`buttons.${index}.phone_number`)}
              placeholder={t('templates.form.phonePlaceholder')}
              autoComplete="off"
            />
          </Field>
        ) : null}
      </div>
      <IconButton label={t('templates.form.removeButton', { n })} variant="danger-ghost" onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  );
}
