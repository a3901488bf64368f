import { stillNeeded } from '../../shared/actions/still-needed.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { roles, type Role } from '@app/domain/auth/permissions';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { nameOf, refreshMembers, type UserDetails } from './users-queries.ts';
import { roleLabel, usersErrorMessage } from './users-words.ts';

type Values = { firstName: string; lastName: string; email: string; phoneNumber: string; role: Role };

/** Changes name, phone number and role of somebody. */
export function UserForm({ user, onClose }: { user: UserDetails; onClose: () => void }) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(user);
  const [values, setValues] = useState(() => valuesOf(user));
  const { user: own } = useSession();
  const queryClient = useQueryClient();
  const update = useAction(orpc.users.update.mutationOptions());
  const changeEmail = useAction(orpc.users.changeEmail.mutationOptions());
  // Where mail is sent people change their address themselves, and confirm it.
  const mayChangeEmail =
    useQuery(orpc.profile.get.queryOptions({ input: {} })).data?.emailChange === 'at-once';
  const isChanged = JSON.stringify(values) !== JSON.stringify(valuesOf(opened));
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');
  const error = changeEmail.error ?? update.error;
  const failure = error ? readFailure(error) : undefined;
  const isConflict = failure?.code === 'user_changed';
  const wrongField =
    failure?.code === 'user_fields_invalid'
      ? failure.field
      : failure?.code === 'email_invalid' || failure?.code === 'email_taken'
        ? 'email'
        : undefined;
  const change = (patch: Partial<Values>) => {
    setValues((before) => ({ ...before, ...patch }));
    changeEmail.reset();
    if (!isConflict) update.reset();
  };

  async function save() {
    const { phoneNumber, email, ...rest } = values;
    try {
      if (email !== opened.email) {
        const changed = await changeEmail.mutateAsync({ userId: opened.id, email });
        // It counts already, also where the rest is refused.
        setOpened((before) => ({ ...before, email: changed.email }));
        setValues((before) => ({ ...before, email: changed.email }));
      }
      await update.mutateAsync({
        ...{ userId: opened.id, version: opened.version, ...rest },
        phoneNumber: phoneNumber.trim() || null,
      });
    } catch {
      return; // Shown in the form, from the failed call.
    }
    notify.success(t('users.updated', { name: nameOf({ ...opened, ...values }) }));
    closeSaved(onClose);
    await refreshMembers(queryClient);
  }

  async function load(keepsMine: boolean) {
    const theirs = await api.users.get({ userId: opened.id });
    setOpened(theirs);
    if (!keepsMine) setValues(valuesOf(theirs));
    update.reset();
  }

  const isSelf = own?.id === opened.id;
  return (
    <FormDialog
      title={t('users.edit')}
      description={opened.email}
      submitLabel={t('common.save')}
      isReady={values.firstName.trim() !== '' && values.lastName.trim() !== ''}
      whyNot={stillNeeded(
        ...(values.firstName.trim() === '' ? [t('users.field.firstName')] : []),
        ...(values.lastName.trim() === '' ? [t('users.field.lastName')] : []),
      )}
      isSaving={changeEmail.isPending || update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {isConflict ? (
        <ConflictBanner
          ways={[
            { label: t('users.load.theirs'), onSelect: () => void load(false) },
            { label: t('users.load.keep'), onSelect: () => void load(true) },
          ]}
        >
          {t('users.error.user_changed')}
        </ConflictBanner>
      ) : failure && !wrongField ? (
        <Banner tone="danger">{usersErrorMessage(error)}</Banner>
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={t('users.field.firstName')}
          required
          error={wrongField === 'firstName' ? t('users.error.name') : undefined}
        >
          <Input
            value={values.firstName}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => change({ firstName: event.target.value })}
          />
        </Field>
        <Field
          label={t('users.field.lastName')}
          required
          error={wrongField === 'lastName' ? t('users.error.name') : undefined}
        >
          <Input
            value={values.lastName}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => change({ lastName: event.target.value })}
          />
        </Field>
      </div>
      {mayChangeEmail && opened.id !== own?.id ? (
        <Field
          label={t('users.details.email')}
          error={wrongField === 'email' ? usersErrorMessage(error) : undefined}
        >
          <Input
            type="email"
            value={values.email}
            autoComplete="off"
            onChange={(event) => change({ email: event.target.value })}
          />
        </Field>
      ) : null}
      <Field
        label={t('users.field.phoneNumber')}
        error={wrongField === 'phoneNumber' ? t('users.error.phone') : undefined}
      >
        <Input
          type="tel"
          value={values.phoneNumber}
          maxLength={33}
          autoComplete="off"
          onChange={(event) => change({ phoneNumber: event.target.value })}
        />
      </Field>
      <Field
        label={t('users.field.role')}
        hint={isSelf ? t('users.field.roleOwn') : t('users.field.roleHint')}
      >
        <Select<Role>
          value={values.role}
          disabled={isSelf}
          onChange={(role) => change({ role })}
          options={roles.map((role) => ({
            value: role,
            label: roleLabel(role),
            hint: t(`users.role.${role}`),
          }))}
        />
      </Field>
    </FormDialog>
  );
}

function valuesOf({ firstName, lastName, email, phoneNumber, role }: UserDetails): Values {
  return { firstName, lastName, email, phoneNumber: phoneNumber ?? '', role };
}
