import { useWatch } from 'react-hook-form';
import { headerFormats } from '@app/domain/templates/template';
import { templateLimits } from '@app/domain/templates/template-rules';
import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { FormPart } from './form-part.tsx';
import { HeaderFileField } from './header-file-field.tsx';
import { emptyHeader } from './template-form.ts';
import { TextCounter } from './text-counter.tsx';
import { useFormOfTemplate } from './use-template-form.ts';

export function HeaderFields() {
  const { register, control, setValue, formState } = useFormOfTemplate();
  const { format, text } = useWatch({ control, name: 'header' });
  return (
    <FormPart
      title={t('templates.form.header')}
      removeLabel={t('templates.form.removeHeader')}
      onRemove={() => setValue('header', { ...emptyHeader }, { shouldDirty: true })}
    >
      <Field label={t('templates.form.headerFormat')}>
        <NativeSelect
          {...register('header.format', {
            // A picture is no video: the file of another kind goes.
            onChange: () => setValue('header.media', null),
          })}
        >
          {headerFormats.map((value) => (
            <option key={value} value={value}>
              {t(`templates.form.format.${value}`)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {format === 'text' ? (
        <Field
          label={t('templates.form.headerText')}
          error={formState.errors.header?.text?.message}
          aside={<TextCounter text={text} limit={templateLimits.headerText} />}
        >
          <Input {...register('header.text')} autoComplete="off" />
        </Field>
      ) : (
        <HeaderFileField key={format} format={format} />
      )}
    </FormPart>
  );
}
