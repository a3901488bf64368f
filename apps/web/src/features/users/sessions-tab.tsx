import { LogOut, MonitorSmartphone, ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t, useLocale } from '../../shared/messages.ts';
import { holdsText } from '../../shared/offline/kept-rows.ts';
import { can, useSession } from '../../shared/session.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import { Banner } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { listOptions, readSessionsSearch, type OpenSession } from './sessions-queries.ts';
import { sessionColumns } from './session-columns.tsx';
import { useUserActions } from './use-user-actions.tsx';
import { usersErrorMessage } from './users-words.ts';

/** Who is signed in, on what and from where; inactive sessions on demand. */
export function SessionsTab() {
  const sessions = useListPage({
    read: readSessionsSearch,
    filters: ['state'],
    options: listOptions,
    find: (kept: readonly OpenSession[], { search }) =>
      kept.filter(({ user, ipAddress }) => holdsText([user.name, user.email, ipAddress], search)),
    errorMessage: usersErrorMessage,
  });
  const locale = useLocale();
  const columns = useMemo(() => sessionColumns(locale), [locale]);
  const rowActions = useSessionActions();
  const { value: state, onChange } = sessions.choice('state');
  return (
    <div className="flex flex-col gap-4">
      <Banner>
        <span className="flex items-center gap-2">
          <ShieldCheck aria-hidden className="size-4 shrink-0" />
          {t('users.sessions.notice')}
        </span>
      </Banner>
      <Toolbar
        search={<SearchInput {...sessions.searchField} placeholder={t('users.sessions.search')} />}
        active={sessions.activeFilters}
      >
        <Switch
          label={t('users.sessions.showInactive')}
          checked={state === 'all'}
          onChange={(event) => onChange(event.target.checked ? 'all' : 'active')}
        />
      </Toolbar>
      <DataTable
        {...sessions.shown}
        label={t('users.tab.sessions')}
        columns={columns}
        rowId={(session) => session.id}
        rowName={({ user }) => user.name}
        rowActionsHeader={t('users.column.actions')}
        rowActions={rowActions}
        empty={
          <NoRows
            list={sessions}
            title={t('users.sessions.empty')}
            noMatch={t('users.noMatch')}
            clearLabel={t('users.clearFilters')}
            text={t('users.sessions.emptyText')}
            icon={<MonitorSmartphone />}
          />
        }
      />
    </div>
  );
}

/** Undefined for whoever may end none. */
function useSessionActions(): ((session: OpenSession) => MenuEntry[]) | undefined {
  const { user: own } = useSession();
  const confirm = useConfirm();
  const acts = useUserActions();
  const end = useAction(orpc.sessions.end.mutationOptions());
  if (!can('users:update')) return undefined;
  return ({ id: sessionId, user, isActive, isCurrent }) => [
    {
      label: t('users.sessions.end'),
      icon: <LogOut aria-hidden />,
      disabled: !isActive || isCurrent,
      hint: isCurrent ? t('users.error.session_is_current') : undefined,
      danger: true,
      onSelect: () =>
        void confirm({
          title: t('users.sessions.endQuestion', { name: user.name }),
          text: t('users.sessions.endText'),
          confirmLabel: t('users.sessions.end'),
          work: () =>
            acts.run(async () => {
              const { ended } = await end.mutateAsync({ sessionId });
              return t('users.sessions.endedToast', { n: ended });
            }),
        }),
    },
    ...(user.id === own?.id
      ? []
      : [
          {
            label: t('users.sessions.endAll', { name: user.name }),
            icon: <LogOut aria-hidden />,
            danger: true,
            onSelect: () => void acts.endSessions({ userId: user.id, name: user.name }),
          },
        ]),
  ];
}
