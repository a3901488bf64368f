import { Controller, type UseFormReturn } from 'react-hook-form';
import {
  customFieldLimits,
  readCustomValue,
  type CustomValueProblem,
} from '@app/domain/custom-fields/custom-field';
import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { NumberInput } from '../../shared/languages/number-input.tsx';
import { t } from '../../shared/messages.ts';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import type { ContactValues } from './contact-values.ts';

type Form = UseFormReturn<ContactValues>;

/** A control for each custom field, after the fields that every contact has. */
export function CustomValueFields({ form, fields }: { form: Form; fields: readonly CustomField[] }) {
  return (
    <FieldGroup legend={t('contacts.fields')} className="border-t border-border pt-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <Field
            key={field.id}
            label={field.label}
            hint={field.description || undefined}
            error={form.formState.errors.custom?.[field.key]?.message}
          >
            <ValueInput form={form} field={field} />
          </Field>
        ))}
      </div>
    </FieldGroup>
  );
}

function ValueInput({ form, field }: { form: Form; field: CustomField }) {
  const validate = (text: string) => {
    const read = readCustomValue(field, text);
    return 'problem' in read ? customProblemText(field, read.problem) : true;
  };
  const name = `custom.${field.key}` as const;
  if (field.type === 'number')
    return (
      <Controller
        control={form.control}
        name={name}
        rules={{ validate }}
        render={({ field: control }) => <NumberInput {...control} />}
      />
    );
  const attributes = form.register(name, { validate });
  switch (field.type) {
    case 'text':
      return <Input {...attributes} autoComplete="off" maxLength={customFieldLimits.text} />;
    case 'date':
      return <Input {...attributes} type="date" min="0001-01-01" max="9999-12-31" />;
    case 'yes_no':
      return (
        <NativeSelect {...attributes}>
          <option value="">{t('contacts.field.noValue')}</option>
          <option value="yes">{t('common.yes')}</option>
          <option value="no">{t('common.no')}</option>
        </NativeSelect>
      );
    case 'choice':
      return (
        <NativeSelect {...attributes}>
          <option value="">{t('contacts.field.noValue')}</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </NativeSelect>
      );
  }
}

/** What is wrong with a value, at its field. */
export function customProblemText(
  { label }: Pick<CustomField, 'label'>,
  problem: CustomValueProblem,
): string {
  return t(`contacts.field.problem.${problem}`, {
    label,
    characters: customFieldLimits.text,
    digits: customFieldLimits.digits,
  });
}
