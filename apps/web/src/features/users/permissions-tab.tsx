import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import type { resources } from '@app/domain/auth/permissions';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Badge, RoleBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { matrixOptions, readUsersSearch } from './users-queries.ts';
import { cellText, roleLabel, usersErrorMessage } from './users-words.ts';

/** Of the specification's matrix in its order, and messages behind them. */
export const shownResources = [
  ...(['users', 'campaigns', 'contacts', 'analytics', 'settings', 'templates', 'messages'] as const),
] satisfies (typeof resources)[number][];

/** What each role may do to each thing. */
export function PermissionsTab() {
  const [, setUrl] = useUrlState(readUsersSearch);
  const { data, error, refetch } = useQuery(matrixOptions);
  return (
    <Panel
      title={t('users.matrix.title')}
      purpose={t('users.matrix.purpose')}
      flush
      actions={
        can('users:manage') ? (
          <Button
            icon={<Pencil aria-hidden />}
            onClick={() => setUrl({ dialog: 'permissions' }, { push: true })}
          >
            {t('users.matrix.edit')}
          </Button>
        ) : undefined
      }
    >
      {data ? (
        <>
          <Matrix roles={data.roles} />
          <MatrixCards roles={data.roles} />
        </>
      ) : error ? (
        <ErrorState text={usersErrorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-4 px-5 py-4">
          {[1, 2, 3, 4].map((line) => (
            <Skeleton key={line} className="h-8" />
          ))}
        </SkeletonRegion>
      )}
    </Panel>
  );
}

type Roles = NonNullable<ReturnType<typeof useMatrix>>['roles'];
const useMatrix = () => useQuery(matrixOptions).data;

function Matrix({ roles }: { roles: Roles }) {
  return (
    <div className="mt-2 overflow-x-auto max-md:hidden">
      <table className="w-full text-left" aria-label={t('users.matrix.title')}>
        <thead className="text-sm text-muted">
          <tr className="border-y border-border bg-sunken">
            <th scope="col" className="px-5 py-2.5 font-medium">
              {t('users.matrix.role')}
            </th>
            {shownResources.map((resource) => (
              <th key={resource} scope="col" className="px-3 py-2.5 font-medium">
                {t(`users.resource.${resource}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {roles.map((row) => (
            <tr key={row.role} className="border-b border-border align-top last:border-b-0">
              <th scope="row" className="px-5 py-3.5 font-normal">
                <RoleName row={row} />
              </th>
              {shownResources.map((resource) => (
                <td key={resource} className="px-3 py-3.5">
                  <Cell permissions={row.permissions} resource={resource} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The same on a telephone. */
function MatrixCards({ roles }: { roles: Roles }) {
  return (
    <ul className="mt-2 md:hidden" aria-label={t('users.matrix.title')}>
      {roles.map((row) => (
        <li key={row.role} className="border-t border-border px-5 py-4">
          <RoleName row={row} />
          <dl className="mt-3 grid gap-y-1.5">
            {shownResources.map((resource) => (
              <div key={resource} className="flex justify-between gap-4">
                <dt className="text-muted">{t(`users.resource.${resource}`)}</dt>
                <dd className="text-right">
                  <Cell permissions={row.permissions} resource={resource} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function RoleName({ row: { role, people, isEdited } }: { row: Roles[number] }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <RoleBadge role={role}>{roleLabel(role)}</RoleBadge>
      <span className="text-sm text-muted">{t('users.matrix.people', { n: people })}</span>
      {isEdited ? <Badge tone="info">{t('users.matrix.edited')}</Badge> : null}
    </span>
  );
}

function Cell({
  permissions,
  resource,
}: {
  permissions: readonly string[];
  resource: (typeof resources)[number];
}) {
  const has = permissions.some((permission) => permission.startsWith(`${resource}:`));
  return <span className={has ? undefined : 'text-muted'}>{cellText(permissions, resource)}</span>;
}
