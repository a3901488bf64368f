import { useInfiniteQuery } from '@tanstack/react-query';
import { EllipsisVertical, Mail, MailX, Send } from 'lucide-react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, type api } from '../../shared/api.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge, RoleBadge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { useUserActions } from './use-user-actions.tsx';
import { roleLabel } from './users-words.ts';

type Invitation = Awaited<ReturnType<typeof api.invitations.list>>['items'][number];

const listOptions = orpc.invitations.list.infiniteOptions({
  input: (cursor: string | undefined) => ({ ...(cursor && { cursor }), limit: 20 }),
  initialPageParam: undefined,
  getNextPageParam: (last) => last.nextCursor ?? undefined,
});

/** Who was invited and has not come yet; nothing while there is nobody. */
export function OpenInvitations() {
  const query = useInfiniteQuery(listOptions);
  const invitations = query.data?.pages.flatMap(({ items }) => items) ?? [];
  if (invitations.length === 0) return null;
  return (
    <Panel title={t('users.invitations.title')} flush>
      <ul aria-label={t('users.invitations.title')} className="mt-2">
        {invitations.map((invitation) => (
          <OpenInvitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {query.hasNextPage ? (
        <div className="border-t border-border px-5 py-3">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('users.invitations.more')}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function OpenInvitation({ invitation }: { invitation: Invitation }) {
  const { id: invitationId, email, role, team, invitedByName, isVoid, isExpired, expiresAt } = invitation;
  const confirm = useConfirm();
  const { run } = useUserActions();
  const sendAgain = useAction(orpc.invitations.sendAgain.mutationOptions());
  const revoke = useAction(orpc.invitations.revoke.mutationOptions());

  const send = () =>
    run(async () => {
      await sendAgain.mutateAsync({ invitationId });
      return t('users.invitations.sentAgain', { email });
    });
  const takeBack = () =>
    confirm({
      title: t('users.invitations.revokeQuestion', { email }),
      text: t('users.invitations.revokeText'),
      confirmLabel: t('users.invitations.revoke'),
      work: () =>
        run(async () => {
          await revoke.mutateAsync({ invitationId });
          return t('users.invitations.revoked', { email });
        }),
    });

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-t border-border px-5 py-3">
      <Mail aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-44 flex-1 leading-tight">
        <span className="block truncate font-medium" title={email}>
          {email}
        </span>
        <span className="block truncate text-sm text-muted">
          {t('users.invitations.by', { name: invitedByName })}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-1.5">
        <RoleBadge role={role}>{roleLabel(role)}</RoleBadge>
        {team ? <Badge>{team.name}</Badge> : null}
        {isVoid || isExpired ? (
          <Badge tone="warning">
            {t(isExpired ? 'users.invitations.expired' : 'users.invitations.void')}
          </Badge>
        ) : (
          <span className="text-sm text-muted">
            {t('users.invitations.expires', { date: formatDate(expiresAt) })}
          </span>
        )}
      </span>
      {can('users:create') ? (
        <Menu
          trigger={
            <IconButton label={t('users.invitations.actionsFor', { email })} size="small">
              <EllipsisVertical aria-hidden />
            </IconButton>
          }
          entries={[
            {
              label: t('users.invitations.sendAgain'),
              icon: <Send aria-hidden />,
              onSelect: () => void send(),
            },
            {
              label: t('users.invitations.revoke'),
              icon: <MailX aria-hidden />,
              danger: true,
              onSelect: () => void takeBack(),
            },
          ]}
        />
      ) : null}
    </li>
  );
}
