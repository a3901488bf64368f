import { formatDate, formatTime } from '../../shared/formats.ts';
import { t, type Locale } from '../../shared/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, RoleBadge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table/table-column.ts';
import { nameOf, type User } from './users-queries.ts';
import { permissionName, roleLabel } from './users-words.ts';

const SHOWN_PERMISSIONS = 2;

const statusTones = { active: 'success', waiting: 'warning', inactive: 'neutral' } as const;

/** The headings are words of the language that is active now. */
export function userColumns(_locale: Locale, ownId: string): Column<User>[] {
  return [
    {
      id: 'user',
      header: t('users.column.user'),
      width: 'minmax(13rem, 2fr)',
      card: 'title',
      cell: (user) => <UserName user={user} isSelf={user.id === ownId} />,
    },
    {
      id: 'role',
      header: t('users.column.role'),
      width: 'minmax(7rem, 8.5rem)',
      cell: ({ role }) => <RoleBadge role={role}>{roleLabel(role)}</RoleBadge>,
    },
    {
      id: 'status',
      header: t('users.column.status'),
      width: 'minmax(10rem, 1fr)',
      cell: (user) => (
        <span className="flex flex-wrap gap-1">
          <StatusBadge status={user.status} />
          {user.isOnline ? (
            <Badge tone="info" dot>
              {t('users.online')}
            </Badge>
          ) : null}
        </span>
      ),
    },
    {
      id: 'lastLogin',
      header: t('users.column.lastLogin'),
      width: 'minmax(8rem, 9.5rem)',
      hideBelow: 'md',
      cell: ({ lastLoginAt }) => (
        <span className="flex flex-col leading-tight text-muted">
          <span>{lastLoginAt ? formatDate(lastLoginAt) : t('users.never')}</span>
          {lastLoginAt ? <span className="text-sm">{formatTime(lastLoginAt)}</span> : null}
        </span>
      ),
    },
    {
      id: 'permissions',
      header: t('users.column.permissions'),
      width: 'minmax(12rem, 1.6fr)',
      hideBelow: 'xl',
      cell: ({ permissions }) => <Permissions permissions={permissions} />,
    },
  ];
}

export function StatusBadge({ status }: { status: User['status'] }) {
  return <Badge tone={statusTones[status]}>{t(`users.status.${status}`)}</Badge>;
}

function UserName({ user, isSelf }: { user: User; isSelf: boolean }) {
  const name = nameOf(user);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Avatar name={name} image={user.avatar} />
      <span className="flex min-w-0 flex-col leading-tight">
        <span className="flex min-w-0 items-center gap-1.5">
          <span dir="auto" className="truncate font-medium" title={name}>
            {name}
          </span>
          {isSelf ? <Badge>{t('users.you')}</Badge> : null}
        </span>
        <span className="truncate text-sm font-normal text-muted" title={user.email}>
          {user.email}
        </span>
        {user.phoneNumber ? (
          <span className="truncate text-sm font-normal text-muted tabular-nums">{user.phoneNumber}</span>
        ) : null}
      </span>
    </span>
  );
}

function Permissions({ permissions }: { permissions: readonly string[] }) {
  const names = permissions.map(permissionName);
  const rest = names.length - SHOWN_PERMISSIONS;
  return (
    <span className="flex min-w-0 flex-col leading-tight" title={names.join(', ')}>
      <span>{t('users.permissionCount', { n: names.length })}</span>
      <span className="text-sm text-muted">
        {names.slice(0, SHOWN_PERMISSIONS).join(', ')}{' '}
        {rest > 0 ? (
          <span className="whitespace-nowrap">{t('users.morePermissions', { n: rest })}</span>
        ) : null}
      </span>
    </span>
  );
}
