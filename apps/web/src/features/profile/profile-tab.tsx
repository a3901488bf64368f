import { checkName, checkPhoneNumber } from '@app/domain/auth/sign-up-rules';
import { timeZones } from '@app/domain/profile/time-zones';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDate, formatDateTime, setTimeZone } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { EmailChange, EmailNote } from './email-change.tsx';
import { profileOptions } from './profile-queries.ts';
import { problemText, type Profile } from './profile-values.ts';

type Values = { firstName: string; lastName: string; phoneNumber: string; timezone: string };

/** The details, to be read; with Edit, to be changed. */
export function ProfileTab({ profile }: { profile: Profile }) {
  const [isEditing, setEditing] = useState(false);
  return isEditing ? (
    <ProfileForm profile={profile} onClose={() => setEditing(false)} />
  ) : (
    <Panel
      title={t('profile.about')}
      actions={
        <>
          {profile.emailChange === 'others' ? null : <EmailChange profile={profile} />}
          <Button icon={<Pencil aria-hidden />} onClick={() => setEditing(true)}>
            {t('profile.edit')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <EmailNote profile={profile} />
        <Details profile={profile} />
      </div>
    </Panel>
  );
}

function Details({ profile }: { profile: Profile }) {
  const none = t('profile.notProvided');
  const details: [string, ReactNode][] = [
    [t('profile.field.firstName'), profile.firstName],
    [t('profile.field.lastName'), profile.lastName],
    [t('profile.field.email'), profile.email],
    [t('profile.field.phoneNumber'), profile.phoneNumber || none],
    [t('profile.field.timezone'), profile.timezone],
    [t('profile.field.role'), t(`common.role.${profile.role}`)],
    [t('profile.field.memberSince'), formatDate(profile.createdAt)],
    [t('profile.field.lastLogin'), profile.lastLoginAt ? formatDateTime(profile.lastLoginAt) : none],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      {details.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="mt-0.5 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ProfileForm({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { register, control, handleSubmit, formState } = useForm<Values>({
    defaultValues: {
      ...{ firstName: profile.firstName, lastName: profile.lastName },
      ...{ phoneNumber: profile.phoneNumber ?? '', timezone: profile.timezone },
    },
  });
  const { errors } = formState;
  useUnsavedWarning(formState.isDirty);
  const save = useAction({
    mutationFn: (values: Values) =>
      api.profile.update({ ...values, timezone: timeZones.find((zone) => zone === values.timezone) }),
    onSuccess: async (changed) => {
      queryClient.setQueryData(profileOptions().queryKey, changed);
      setTimeZone(changed.timezone);
      onClose();
      notify.success(t('profile.updated'));
      await readSessionAnew();
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  const check = (find: (value: string) => Parameters<typeof problemText>[0] | null) => (value: string) => {
    const problem = find(value);
    return problem ? problemText(problem) : true;
  };
  return (
    <Panel title={t('profile.about')}>
      <form
        noValidate
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => void handleSubmit((values) => save.mutate(values))(event)}
      >
        <Field label={t('profile.field.firstName')} error={errors.firstName?.message} required>
          <Input
            autoComplete="given-name"
            {...register('firstName', { validate: check((value) => checkName(value, 'firstName')) })}
          />
        </Field>
        <Field label={t('profile.field.lastName')} error={errors.lastName?.message} required>
          <Input
            autoComplete="family-name"
            {...register('lastName', { validate: check((value) => checkName(value, 'lastName')) })}
          />
        </Field>
        <Field label={t('profile.field.email')}>
          <Input type="email" value={profile.email} readOnly />
        </Field>
        <Field label={t('profile.field.phoneNumber')} error={errors.phoneNumber?.message}>
          <Input
            type="tel"
            autoComplete="tel"
            {...register('phoneNumber', { validate: check(checkPhoneNumber) })}
          />
        </Field>
        <Controller
          control={control}
          name="timezone"
          render={({ field }) => (
            <Field label={t('profile.field.timezone')}>
              <Select value={field.value} onChange={field.onChange} options={zoneOptions(profile.timezone)} />
            </Field>
          )}
        />
        <div className="flex flex-wrap justify-end gap-2 self-end sm:col-span-2">
          <Button onClick={onClose}>{t('profile.cancel')}</Button>
          <Button type="submit" variant="primary" loading={save.isPending}>
            {t('profile.saveChanges')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** One that was set otherwise stays among them. */
function zoneOptions(present: string) {
  const known: readonly string[] = timeZones;
  const zones = known.includes(present) ? known : [present, ...known];
  return zones.map((zone) => ({ value: zone, label: zone }));
}
