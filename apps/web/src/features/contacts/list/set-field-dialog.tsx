import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useCustomFields, type CustomField } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { toValues, type ContactValues } from '../contact-values.ts';
import { CustomValueFields } from '../custom-value-fields.tsx';
import { SetValueDialog } from './set-value-dialog.tsx';

/** One value of a custom field for all who are chosen, typed as the field is. */
export function SetFieldDialog({
  count,
  isSaving,
  onSave,
  onClose,
}: {
  count: number;
  isSaving: boolean;
  onSave: (customFields: Record<string, string | null>) => void;
  onClose: () => void;
}) {
  const fields = useCustomFields() ?? [];
  const [key, setKey] = useState('');
  const field = fields.find((one) => one.key === key) ?? fields[0];
  return field ? (
    <SetFieldForm
      key={field.key}
      field={field}
      {...{ fields, count, isSaving, onSave, onClose }}
      onField={setKey}
    />
  ) : null;
}

function SetFieldForm({
  field,
  fields,
  count,
  isSaving,
  onField,
  onSave,
  onClose,
}: {
  field: CustomField;
  fields: readonly CustomField[];
  count: number;
  isSaving: boolean;
  onField: (key: string) => void;
  onSave: (customFields: Record<string, string | null>) => void;
  onClose: () => void;
}) {
  const form = useForm<ContactValues>({ defaultValues: toValues(undefined, [field]) });
  const value = form.watch(`custom.${field.key}`) ?? '';
  return (
    <SetValueDialog
      title={t('contacts.bulk.setField')}
      description={t('contacts.bulk.setFieldText', { n: count })}
      removeLabel={t('contacts.bulk.clearField')}
      isEmpty={value.trim() === ''}
      isSaving={isSaving}
      onSave={(isRemoved) => {
        if (isRemoved) onSave({ [field.key]: null });
        else void form.handleSubmit(() => onSave({ [field.key]: value.trim() }))();
      }}
      onClose={onClose}
      which={
        <Field label={t('contacts.bulk.setFieldWhich')}>
          <Select
            value={field.key}
            onChange={onField}
            options={fields.map((one) => ({ value: one.key, label: one.label }))}
          />
        </Field>
      }
    >
      <CustomValueFields form={form} fields={[field]} />
    </SetValueDialog>
  );
}
