import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { Role } from '@app/domain/auth/permissions';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { RoleBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { useOfferedRoles } from './invite-dialog.tsx';
import { useUserActions } from './use-user-actions.tsx';
import { nameOf, waitingOptions, type User } from './users-queries.ts';
import { roleLabel } from './users-words.ts';

/** Who signed up and waits for somebody to let them in; nothing while nobody does. */
export function WaitingMembers() {
  const waiting = useQuery(waitingOptions).data?.items ?? [];
  if (waiting.length === 0) return null;
  return (
    <Panel title={t('users.waiting.title')} purpose={t('users.waiting.text', { n: waiting.length })} flush>
      <ul aria-label={t('users.waiting.title')} className="mt-2">
        {waiting.map((user) => (
          <WaitingPerson key={user.id} user={user} />
        ))}
      </ul>
    </Panel>
  );
}

function WaitingPerson({ user }: { user: User }) {
  const asked = user.requestedRole ?? 'viewer';
  const [role, setRole] = useState<Role>(asked);
  const offered = useOfferedRoles();
  const acts = useUserActions();
  const confirm = useConfirm();
  const remove = useAction(orpc.users.remove.mutationOptions());
  const [isBusy, setBusy] = useState(false);
  const name = nameOf(user);

  async function approve() {
    setBusy(true);
    await acts.activate(user, role);
    setBusy(false);
  }

  const decline = () =>
    confirm({
      title: t('users.waiting.declineQuestion', { name }),
      text: t('users.waiting.declineText'),
      confirmLabel: t('users.waiting.decline'),
      work: () =>
        acts.run(async () => {
          await remove.mutateAsync({ userId: user.id });
          return t('users.waiting.declined', { name });
        }),
    });

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-border px-5 py-3">
      <span className="flex min-w-52 flex-1 items-center gap-2.5">
        <Avatar name={name} image={user.avatar} />
        <span className="min-w-0 leading-tight">
          <span dir="auto" className="block truncate font-medium">
            {name}
          </span>
          <span className="block truncate text-sm text-muted">
            {user.email} · {formatRelativeTime(user.createdAt)}
          </span>
        </span>
      </span>
      <RoleBadge role={asked}>{t('users.waiting.asks', { role: roleLabel(asked) })}</RoleBadge>
      <span className="flex flex-wrap items-center gap-2">
        {can('users:update') ? (
          <>
            <span className="block w-36">
              <Select
                label={t('users.waiting.role', { name })}
                value={role}
                onChange={setRole}
                options={offered.map((one) => ({ value: one, label: roleLabel(one) }))}
              />
            </span>
            <Button
              variant="primary"
              icon={<Check aria-hidden />}
              loading={isBusy}
              onClick={() => void approve()}
            >
              {t('users.waiting.approve')}
            </Button>
          </>
        ) : null}
        {can('users:delete') ? (
          <Button icon={<X aria-hidden />} onClick={() => void decline()}>
            {t('users.waiting.decline')}
          </Button>
        ) : null}
      </span>
    </li>
  );
}
