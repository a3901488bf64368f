import { useQuery } from '@tanstack/react-query';
import { can } from '../../shared/session.ts';
import { readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { FactorsDialog } from './factors-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { PermissionsDialog } from './permissions-dialog.tsx';
import { UserDetailsDialog } from './user-details-dialog.tsx';
import { UserForm } from './user-form.tsx';
import { userOptions, type UsersSearch } from './users-queries.ts';
import { usersErrorMessage } from './users-words.ts';

type Change = (dialog: UsersSearch['dialog'], userId: string) => void;

/** The dialog that the address names. */
export function UsersDialogs({
  dialog,
  userId,
  onChange,
}: {
  dialog: UsersSearch['dialog'];
  userId: string;
  onChange: Change;
}) {
  const close = () => onChange('', '');
  if (dialog === 'new') return can('users:create') ? <InviteDialog onClose={close} /> : null;
  if (dialog === 'permissions') return can('users:manage') ? <PermissionsDialog onClose={close} /> : null;
  if (userId === '') return null;
  return <OfPerson key={userId} dialog={dialog} userId={userId} onChange={onChange} />;
}

function OfPerson({
  dialog,
  userId,
  onChange,
}: {
  dialog: UsersSearch['dialog'];
  userId: string;
  onChange: Change;
}) {
  const { data, error, refetch } = useQuery(userOptions(userId));
  const close = () => onChange('', '');
  if (!data)
    return (
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) close();
        }}
        title={t('users.details.title')}
        footer={<Button onClick={close}>{t('common.close')}</Button>}
      >
        {error ? (
          <ErrorState
            text={usersErrorMessage(error)}
            onRetry={readFailure(error).code === 'user_not_found' ? undefined : () => void refetch()}
          />
        ) : (
          <SkeletonRegion className="grid gap-4 py-2">
            {[1, 2, 3, 4].map((line) => (
              <Skeleton key={line} className="h-6" />
            ))}
          </SkeletonRegion>
        )}
      </Dialog>
    );
  if (dialog === 'edit' && can('users:update')) return <UserForm user={data} onClose={close} />;
  if (dialog === 'deactivate' && can('users:update'))
    return <LeaveDialog user={data} kind="deactivate" onClose={close} />;
  if (dialog === 'delete' && can('users:delete'))
    return <LeaveDialog user={data} kind="delete" onClose={close} />;
  if (dialog === 'factors' && can('users:manage')) return <FactorsDialog user={data} onClose={close} />;
  return <UserDetailsDialog user={data} onEdit={() => onChange('edit', userId)} onClose={close} />;
}
