import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useCustomFields, type CustomField } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { NativeSelect } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { toValues, type ContactValues } from '../contact-values.ts';
import { CustomValueFields } from '../custom-value-fields.tsx';

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
  const isEmpty = value.trim() === '';
  return (
    <FormDialog
      closeOnOutsidePress={isEmpty}
      size="small"
      title={t('contacts.bulk.setField')}
      description={t('contacts.bulk.setFieldText', { n: count })}
      submitLabel={t(isEmpty ? 'contacts.bulk.clearField' : 'contacts.bulk.setField')}
      isReady
      isSaving={isSaving}
      onSubmit={() => void form.handleSubmit(() => onSave({ [field.key]: isEmpty ? null : value.trim() }))()}
      onClose={onClose}
    >
      <Field label={t('contacts.bulk.setFieldWhich')}>
        <NativeSelect value={field.key} onChange={(event) => onField(event.target.value)}>
          {fields.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <CustomValueFields form={form} fields={[field]} />
    </FormDialog>
  );
}
