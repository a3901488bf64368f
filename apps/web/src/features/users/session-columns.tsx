import { Monitor, Smartphone, Tablet } from 'lucide-react';
import { formatCountry, formatDateTime } from '../../shared/formats.ts';
import { t, type Locale } from '../../shared/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table/table-column.ts';
import type { OpenSession } from './sessions-queries.ts';
import { ageLabel } from './users-words.ts';

const icons = { desktop: Monitor, mobile: Smartphone, tablet: Tablet };

/** The headings are words of the language that is active now. */
export function sessionColumns(_locale: Locale): Column<OpenSession>[] {
  return [
    {
      id: 'user',
      header: t('users.column.user'),
      width: 'minmax(12rem, 1.6fr)',
      card: 'title',
      cell: ({ user }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={user.name} image={user.avatar} />
          <span className="flex min-w-0 flex-col leading-tight">
            <span dir="auto" className="truncate font-medium" title={user.name}>
              {user.name}
            </span>
            <span className="truncate text-sm font-normal text-muted">{user.email}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'device',
      header: t('users.sessions.device'),
      width: 'minmax(10rem, 1.3fr)',
      cell: ({ device }) => <Device device={device} />,
    },
    {
      id: 'ip',
      header: t('users.sessions.ipAddress'),
      width: 'minmax(8rem, 1fr)',
      hideBelow: 'md',
      cell: ({ ipAddress, place }) => (
        <span className="flex min-w-0 flex-col leading-tight text-muted">
          <span className="truncate tabular-nums">{ipAddress ?? '—'}</span>
          {place ? <span className="truncate text-sm">{placeLabel(place)}</span> : null}
        </span>
      ),
    },
    {
      id: 'age',
      header: t('users.sessions.age'),
      width: '6.5rem',
      cell: ({ createdAt }) => (
        <span className="tabular-nums" title={formatDateTime(createdAt)}>
          {ageLabel(createdAt)}
        </span>
      ),
    },
    {
      id: 'lastActivity',
      header: t('users.sessions.lastActivity'),
      width: '7.5rem',
      hideBelow: 'lg',
      cell: ({ lastActivityAt }) => (
        <span className="text-muted tabular-nums" title={formatDateTime(lastActivityAt)}>
          {ageLabel(lastActivityAt)}
        </span>
      ),
    },
    {
      id: 'state',
      header: t('users.sessions.state'),
      width: '8.5rem',
      cell: ({ isActive, isCurrent }) =>
        isCurrent ? (
          <Badge tone="info">{t('users.sessions.current')}</Badge>
        ) : (
          <Badge tone={isActive ? 'success' : 'neutral'}>
            {t(isActive ? 'users.sessions.active' : 'users.sessions.ended')}
          </Badge>
        ),
    },
  ];
}

function placeLabel({ city, country }: NonNullable<OpenSession['place']>): string {
  return [city, country && formatCountry(country)].filter(Boolean).join(', ');
}

function Device({ device: { browser, os, kind } }: Pick<OpenSession, 'device'>) {
  const Icon = icons[kind];
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="truncate">
        {t('users.sessions.deviceOf', {
          browser: browser ?? t('users.sessions.unknownBrowser'),
          os: os ?? t('users.sessions.unknownSystem'),
        })}
      </span>
    </span>
  );
}
