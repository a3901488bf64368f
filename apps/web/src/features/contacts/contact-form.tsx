import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { contactLimits, readEmailAddress } from '@app/domain/contacts/contact';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { CountryField } from '../../shared/contacts/country-field.tsx';
import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { ContactConflict } from './contact-conflict.tsx';
import { toValues, type ContactValues } from './contact-values.ts';
import { CustomValueFields } from './custom-value-fields.tsx';
import { homeCountryOptions, tagsOptions, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { TagInput } from '../../shared/contacts/tag-input.tsx';
import { LanguageField } from './language-field.tsx';
import { useContactSave } from './use-contact-save.ts';

export function ContactForm({
  contact,
  fields,
  onClose,
}: {
  contact: Contact | undefined;
  /** As they were when the form was opened: one that is added meanwhile waits for the next time. */
  fields: readonly CustomField[];
  onClose: () => void;
}) {
  const form = useForm<ContactValues>({ defaultValues: toValues(contact, fields) });
  const { register, control, formState, watch } = form;
  const closeSaved = useUnsavedWarning(formState.isDirty, 'dialog');
  const home = useQuery(homeCountryOptions).data?.country ?? undefined;
  const [chosenCountry, setCountry] = useState<PhoneCountry | ''>();
  const country = chosenCountry === '' ? undefined : (chosenCountry ?? home);
  const save = useContactSave(form, { contact, fields, country, onSaved: () => closeSaved(onClose) });
  const tags = useQuery(tagsOptions).data?.items ?? [];
  const nameInput = useRef<HTMLInputElement | null>(null);
  const name = register('name', { maxLength: contactLimits.name });
  const needsCountry = !/^\s*(?:\+|00)/.test(watch('phone'));
  const isComplete = watch('name').trim() !== '' && watch('phone').trim() !== '';

  return (
    <FormDialog
      initialFocus={nameInput}
      title={save.isNew ? t('contacts.addTitle') : t('contacts.editTitle')}
      submitLabel={t('contacts.save')}
      isReady={isComplete}
      whyNot={t('contacts.saveNeeds')}
      isSaving={save.isSaving}
      onSubmit={() => void save.submit()}
      onClose={onClose}
    >
      <ContactConflict save={save} customFields={fields} />
      <Field label={t('contacts.name')} required error={formState.errors.name?.message}>
        <Input
          {...name}
          ref={(element) => {
            name.ref(element);
            nameInput.current = element;
          }}
          autoComplete="off"
          maxLength={contactLimits.name}
        />
      </Field>
      <Field
        label={t('contacts.phone')}
        required
        hint={t('contacts.phoneHint')}
        error={formState.errors.phone?.message}
      >
        <Input {...register('phone')} type="tel" autoComplete="off" maxLength={contactLimits.phone} />
      </Field>
      {needsCountry ? <CountryField value={country} onChange={setCountry} /> : null}
      <Field label={t('contacts.email')} error={formState.errors.email?.message}>
        <Input
          {...register('email', {
            validate: (email) =>
              email === contact?.email || readEmailAddress(email) !== undefined || t('contacts.error.email'),
          })}
          // A field of type email hands over another spelling of the domain than was typed.
          type="text"
          inputMode="email"
          autoComplete="email"
          maxLength={contactLimits.email}
        />
      </Field>
      <Controller
        control={control}
        name="language"
        render={({ field, fieldState }) => (
          <LanguageField value={field.value} error={fieldState.error?.message} onChange={field.onChange} />
        )}
      />
      <Field
        label={t('contacts.tagsLabel')}
        hint={t('contacts.tagsHint')}
        error={formState.errors.tags?.message}
      >
        <Controller
          control={control}
          name="tags"
          render={({ field }) => (
            <TagInput
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              suggestions={tags.map(({ tag }) => tag)}
            />
          )}
        />
      </Field>
      <Field label={t('contacts.status')} hint={t('contacts.statusHint')}>
        <NativeSelect {...register('status')}>
          <option value="active">{t('contacts.active')}</option>
          <option value="blocked">{t('contacts.blocked')}</option>
        </NativeSelect>
      </Field>
      {fields.length > 0 ? <CustomValueFields form={form} fields={fields} /> : null}
    </FormDialog>
  );
}
