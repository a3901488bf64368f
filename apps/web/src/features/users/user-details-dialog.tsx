import { formatPhone } from '@app/domain/contacts/format-phone';
import type { ReactNode } from 'react';
import { languageNames } from '../../shared/languages/language-names.ts';
import { formatDate, formatDateTime, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, RoleBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { StatusBadge } from './user-columns.tsx';
import { nameOf, type UserDetails } from './users-queries.ts';
import { permissionName, readPermission, roleLabel } from './users-words.ts';

/** All that others see of a person. */
export function UserDetailsDialog({
  user,
  onEdit,
  onClose,
}: {
  user: UserDetails;
  onEdit: () => void;
  onClose: () => void;
}) {
  const { user: own } = useSession();
  const mayEdit = can('users:update') && user.id !== own?.id && user.status !== 'waiting';
  const name = nameOf(user);
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('users.details.title')}
      footer={
        <>
          <Button onClick={onClose}>{t('common.close')}</Button>
          {mayEdit ? (
            <Button variant="primary" onClick={onEdit}>
              {t('users.edit')}
            </Button>
          ) : null}
        </>
      }
    >
      {/* What is longer than the screen is scrolled by keys, too. */}
      <section tabIndex={0} aria-label={name} className="rounded-md outline-offset-4">
        <div className="flex items-center gap-4 pb-5">
          <Avatar name={name} image={user.avatar} size="large" />
          <div className="min-w-0">
            <p className="text-lg font-semibold wrap-anywhere">
              <bdi>{name}</bdi>
            </p>
            <p className="mt-1 flex flex-wrap gap-1.5">
              <RoleBadge role={user.role}>{roleLabel(user.role)}</RoleBadge>
              <StatusBadge status={user.status} />
              {user.isOnline ? (
                <Badge tone="info" dot>
                  {t('users.online')}
                </Badge>
              ) : null}
            </p>
          </div>
        </div>
        <Facts
          facts={[
            [t('users.details.name'), name],
            [t('users.details.email'), user.email],
            [t('users.details.role'), roleLabel(user.role)],
            [t('users.details.status'), t(`users.status.${user.status}`)],
            [
              t('users.details.phone'),
              user.phoneNumber ? formatPhone(user.phoneNumber) : t('users.details.notProvided'),
            ],
            [t('users.details.timezone'), user.timezone],
            [t('users.details.created'), formatDate(user.createdAt)],
            [
              t('users.details.lastLogin'),
              user.lastLoginAt ? formatDateTime(user.lastLoginAt) : t('users.never'),
            ],
            [t('users.details.sessions'), formatNumber(user.sessions)],
          ]}
        />
        <h3 className="mt-6 mb-2 font-semibold">{t('users.details.permissions')}</h3>
        <PermissionTable permissions={user.permissions} />
        <h3 className="mt-6 mb-2 font-semibold">{t('users.details.preferences')}</h3>
        <Preferences user={user} />
      </section>
    </Dialog>
  );
}

function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="wrap-anywhere">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PermissionTable({ permissions }: { permissions: readonly string[] }) {
  if (permissions.length === 0) return <p className="text-muted">{t('users.permissionCount', { n: 0 })}</p>;
  return (
    <table className="w-full text-left">
      <thead className="text-sm text-muted">
        <tr className="border-b border-border">
          <th className="py-1.5 pr-3 font-medium">{t('users.details.permissionName')}</th>
          <th className="py-1.5 pr-3 font-medium">{t('users.details.resource')}</th>
          <th className="py-1.5 font-medium">{t('users.details.action')}</th>
        </tr>
      </thead>
      <tbody>
        {permissions.map((permission) => {
          const parts = readPermission(permission);
          return (
            <tr key={permission} className="border-b border-border last:border-b-0">
              <td className="py-1.5 pr-3">{permissionName(permission)}</td>
              <td className="py-1.5 pr-3 text-muted">
                {parts ? t(`users.resource.${parts.resource}`) : '—'}
              </td>
              <td className="py-1.5 text-muted">{parts ? t(`users.action.${parts.action}`) : '—'}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Preferences({ user: { language, preferences } }: { user: UserDetails }) {
  const { theme, notifications } = preferences;
  const onOff = (isOn: boolean) => t(isOn ? 'users.details.on' : 'users.details.off');
  return (
    <Facts
      facts={[
        [t('users.details.theme'), t(`users.theme.${theme}`)],
        [t('users.details.language'), languageNames[language ?? 'en']],
        [t('users.details.emailNotifications'), onOff(notifications.email)],
        [t('users.details.inAppNotifications'), onOff(notifications.inApp)],
      ]}
    />
  );
}
