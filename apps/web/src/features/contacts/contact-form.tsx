import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Controller, useForm, type UseFormReturn } from 'react-hook-form';
import { contactLimits, isEmailAddress, type ContactStatus } from '@app/domain/contacts/contact';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.tsx';
import { refreshContacts, tagsOptions, type Contact } from './contacts-queries.ts';
import { TagInput } from './tag-input.tsx';
import { contactFailureText } from './use-delete-contact.ts';

type ContactValues = { name: string; phone: string; email: string; tags: string[]; status: ContactStatus };

const fieldNames = ['name', 'phone', 'email', 'tags', 'status'] as const;

export function ContactForm({ contact, onClose }: { contact?: Contact; onClose: () => void }) {
  const form = useForm<ContactValues>({ defaultValues: toValues(contact) });
  const { register, control, formState, watch } = form;
  const save = useSave(form, contact, onClose);
  const confirm = useConfirm();
  const isUnsaved = formState.isDirty && !save.isSaved;
  const tags = useQuery(tagsOptions).data?.items ?? [];
  const nameInput = useRef<HTMLInputElement | null>(null);
  const name = register('name', { maxLength: contactLimits.name });
  const isComplete = watch('name').trim() !== '' && watch('phone').trim() !== '';
  useUnsavedWarning(isUnsaved);

  async function close() {
    const isSure =
      !isUnsaved ||
      (await confirm({
        title: t('common.unsavedTitle'),
        text: t('common.unsavedText'),
        confirmLabel: t('common.unsavedLeave'),
        cancelLabel: t('common.unsavedStay'),
      }));
    if (isSure) onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) void close();
      }}
      keepOpenOnOutsidePress
      initialFocus={nameInput}
      title={contact ? t('contacts.editTitle') : t('contacts.addTitle')}
      footer={
        <>
          <Button onClick={() => void close()}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            form="contact-form"
            disabled={!isComplete}
            title={isComplete ? undefined : t('contacts.saveNeeds')}
            loading={save.isSaving}
          >
            {t('contacts.save')}
          </Button>
        </>
      }
    >
      <form id="contact-form" noValidate onSubmit={(event) => void save.submit(event)} className="grid gap-4">
        {save.isOutdated ? <OutdatedBanner onLoad={save.loadTheirs} onKeep={save.keepMine} /> : null}
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
        <Field label={t('contacts.email')} error={formState.errors.email?.message}>
          <Input
            {...register('email', {
              validate: (email) =>
                email.trim() === '' ||
                email === contact?.email ||
                isEmailAddress(email.trim()) ||
                t('contacts.error.email'),
            })}
            type="email"
            autoComplete="off"
            maxLength={contactLimits.email}
          />
        </Field>
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
      </form>
    </Dialog>
  );
}

function OutdatedBanner({ onLoad, onKeep }: { onLoad: () => void; onKeep: () => void }) {
  return (
    <Banner
      tone="warning"
      action={
        <>
          <Button size="small" onClick={onLoad}>
            {t('contacts.changedLoad')}
          </Button>
          <Button size="small" onClick={onKeep}>
            {t('contacts.changedKeep')}
          </Button>
        </>
      }
    >
      {t('contacts.changedText')}
    </Banner>
  );
}

function useSave(form: UseFormReturn<ContactValues>, contact: Contact | undefined, onClose: () => void) {
  const queryClient = useQueryClient();
  const create = useMutation(orpc.contacts.create.mutationOptions());
  const update = useMutation(orpc.contacts.update.mutationOptions());
  const [base, setBase] = useState(contact);
  const [isOutdated, setOutdated] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const isSaving = create.isPending || update.isPending;

  async function write(values: ContactValues): Promise<void> {
    if (isSaving) return;
    try {
      if (base)
        await update.mutateAsync({ contactId: base.id, version: base.version, ...changesOf(values, base) });
      else await create.mutateAsync({ ...values, email: values.email.trim() || null });
    } catch (error) {
      showFailure(error);
      return;
    }
    setSaved(true);
    notify.success(base ? t('contacts.updated') : t('contacts.added'));
    onClose();
    await refreshContacts(queryClient);
  }

  function showFailure(error: unknown): void {
    const { code, field, issues } = readFailure(error);
    if (code === 'contact_changed') return setOutdated(true);
    const name = fieldNames.find((known) => known === field?.split('.')[0]);
    if (!name) {
      notify.error(contactFailureText(error));
      return;
    }
    const message = code === 'invalid_input' ? (issues[0]?.message ?? '') : contactFailureText(error);
    form.setError(
      name,
      { message: name === 'email' ? t('contacts.error.email') : message },
      { shouldFocus: true },
    );
  }

  /** The newest state of the server becomes what the next save is checked against. */
  async function readNewest(): Promise<Contact | undefined> {
    if (!base) return undefined;
    try {
      const newest = await api.contacts.get({ contactId: base.id });
      setBase(newest);
      setOutdated(false);
      return newest;
    } catch (error) {
      notify.error(contactFailureText(error));
      return undefined;
    }
  }

  return {
    isSaving,
    isSaved,
    isOutdated,
    submit: form.handleSubmit(write),
    loadTheirs: () => void readNewest().then((newest) => newest && form.reset(toValues(newest))),
    keepMine: () => void readNewest(),
  };
}

function toValues(contact: Contact | undefined): ContactValues {
  return {
    name: contact?.name ?? '',
    phone: contact?.phone ?? '',
    email: contact?.email ?? '',
    tags: contact?.tags ?? [],
    status: contact?.status ?? 'active',
  };
}

/** Only what differs is sent, so that a field that was not touched stays as it is. */
function changesOf(values: ContactValues, base: Contact) {
  const email = values.email.trim() || null;
  return {
    ...(values.name !== base.name && { name: values.name }),
    ...(values.phone.trim() !== (base.phone ?? '') && { phone: values.phone }),
    ...(email !== base.email && { email }),
    ...(values.tags.join(';') !== base.tags.join(';') && { tags: values.tags }),
    ...(values.status !== base.status && { status: values.status }),
  };
}
