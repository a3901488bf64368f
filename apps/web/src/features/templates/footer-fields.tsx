import { useWatch } from 'react-hook-form';
import { templateLimits } from '@app/domain/templates/template-rules';
import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormPart } from './form-part.tsx';
import { TextCounter } from './text-counter.tsx';
import { useFormOfTemplate } from './use-template-form.ts';

export function FooterFields() {
  const { register, control, setValue, formState } = useFormOfTemplate();
  const text = useWatch({ control, name: 'footer.text' });
  return (
    <FormPart
      title={t('templates.form.footer')}
      removeLabel={t('templates.form.removeFooter')}
      onRemove={() => setValue('footer', { shown: false, text: '' }, { shouldDirty: true })}
    >
      <Field
        label={t('templates.form.footerText')}
        error={formState.errors.footer?.text?.message}
        aside={<TextCounter text={text} limit={templateLimits.footerText} />}
      >
        <Input {...register('footer.text')} autoComplete="off" />
      </Field>
    </FormPart>
  );
}
