import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { roles, type Permission, type Role } from '@app/domain/auth/permissions';
import { checkEmail } from '@app/domain/auth/sign-up-rules';
import { holdsAll } from '@app/domain/users/role-matrix';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { matrixOptions, refreshMembers } from './users-queries.ts';
import { roleLabel, usersErrorMessage } from './users-words.ts';

const NO_TEAM = 'none';
const teamsOptions = orpc.teams.list.queryOptions({ input: { limit: 200 } });

/** Adds somebody by inviting them: their password is theirs alone to choose. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('agent');
  const [teamId, setTeamId] = useState(NO_TEAM);
  const [isTouched, setTouched] = useState(false);
  const queryClient = useQueryClient();
  const offered = useOfferedRoles();
  const teams = useQuery(teamsOptions).data?.items ?? [];
  const create = useAction(orpc.invitations.create.mutationOptions());
  const emailChange = useQuery(orpc.profile.get.queryOptions({ input: {} })).data?.emailChange;
  // Where an address is confirmed by a link, mail is sent.
  const lacksMail = emailChange !== undefined && emailChange !== 'link';
  const closeSaved = useUnsavedWarning(email.trim() !== '', 'dialog');
  const failure = create.error ? readFailure(create.error) : undefined;
  const problem = isTouched && checkEmail(email) ? t('users.error.email_invalid') : undefined;
  const isAtEmail = failure?.field === 'email';

  async function send() {
    setTouched(true);
    if (checkEmail(email)) return;
    try {
      await create.mutateAsync({ email: email.trim(), role, teamId: teamId === NO_TEAM ? null : teamId });
    } catch {
      return; // Shown in the form, from the failed call.
    }
    notify.success(t('users.invite.sent', { email: email.trim() }));
    closeSaved(onClose);
    await refreshMembers(queryClient);
  }

  return (
    <FormDialog
      title={t('users.invite.title')}
      description={lacksMail ? undefined : t('users.invite.text')}
      submitLabel={t('users.invite.send')}
      submitIcon={<Send aria-hidden />}
      isReady={!lacksMail}
      isSaving={create.isPending}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      {lacksMail ? <Banner tone="warning">{t('users.invite.noMail')}</Banner> : null}
      {failure && !isAtEmail ? <Banner tone="danger">{usersErrorMessage(create.error)}</Banner> : null}
      <Field
        label={t('users.invite.email')}
        required
        error={problem ?? (isAtEmail ? usersErrorMessage(create.error) : undefined)}
      >
        <Input
          type="email"
          value={email}
          maxLength={254}
          autoComplete="off"
          onChange={(event) => {
            setEmail(event.target.value);
            setTouched(false);
            create.reset();
          }}
        />
      </Field>
      <FieldGroup legend={t('users.field.role')}>
        <div className="overflow-hidden rounded-card border border-control">
          {offered.map((one) => (
            <Radio
              key={one}
              name="invited-role"
              value={one}
              checked={role === one}
              onChange={() => setRole(one)}
              label={<span className="font-medium">{roleLabel(one)}</span>}
              hint={t(`users.role.${one}`)}
              className="border-b border-border px-3.5 py-2.5 transition-colors last:border-b-0 has-checked:bg-primary-soft"
            />
          ))}
        </div>
      </FieldGroup>
      {teams.length > 0 ? (
        <Field label={t('users.invite.team')}>
          <Select
            value={teamId}
            onChange={setTeamId}
            options={[
              { value: NO_TEAM, label: t('users.invite.noTeam') },
              ...teams.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
      ) : null}
    </FormDialog>
  );
}

/** The roles that the signed-in person may give; the server decides. */
export function useOfferedRoles(): readonly Role[] {
  const { user } = useSession();
  const matrix = useQuery(matrixOptions).data?.roles;
  const held = user?.permissions ?? [];
  return roles.filter((role) => {
    const found = matrix?.find((row) => row.role === role);
    // The server lists only permissions of the domain's table.
    return !found || holdsAll(held, found.permissions as readonly Permission[]);
  });
}
