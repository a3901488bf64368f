import { useQuery } from '@tanstack/react-query';
import { CalendarCheck, CircleCheck, UserRoundCheck, Users } from 'lucide-react';
import { useMemo } from 'react';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { namesOf } from '../../shared/lists/list-filters.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t, useLocale } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { AddUserButton } from './add-user-button.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { useUserMenu } from './use-user-actions.tsx';
import { userColumns } from './user-columns.tsx';
import {
  findKeptUsers,
  listOptions,
  nameOf,
  readUsersSearch,
  summaryOptions,
  userFilters,
  userSorts,
} from './users-queries.ts';
import { usersErrorMessage } from './users-words.ts';
import { WaitingMembers } from './waiting-members.tsx';

/** Everybody who works here, with those who wait and those who are invited above them. */
export function UsersTab() {
  const users = useListPage({
    read: readUsersSearch,
    filters: namesOf(userFilters),
    options: listOptions,
    find: findKeptUsers,
    errorMessage: usersErrorMessage,
  });
  const { setUrl, shown, choice } = users;
  const locale = useLocale();
  const { user: own } = useSession();
  const ownId = own?.id ?? '';
  const columns = useMemo(() => userColumns(locale, ownId), [locale, ownId]);
  const actionsOn = useUserMenu((dialog, user) => setUrl({ dialog, user }, { push: true }));
  return (
    <div className="flex flex-col gap-5">
      <UsersSummary />
      <WaitingMembers />
      <OpenInvitations />
      <Toolbar
        search={<SearchInput {...users.searchField} placeholder={t('users.search')} />}
        active={users.activeFilters}
        sort={
          <FilterSelect
            {...choice('sort')}
            label={t('users.sort')}
            options={userSorts.map((value) => ({ value, label: t(`users.sort.${value}`) }))}
          />
        }
      >
        <FilterSelects filters={userFilters} choice={choice} />
      </Toolbar>
      <DataTable
        {...shown}
        label={t('users.tab.users')}
        columns={columns}
        rowId={(user) => user.id}
        rowName={nameOf}
        onOpenRow={(user) => setUrl({ dialog: 'view', user: user.id }, { push: true })}
        rowActionsHeader={t('users.column.actions')}
        rowActions={actionsOn}
        empty={
          <NoRows
            list={users}
            title={t('users.empty')}
            noMatch={t('users.noMatch')}
            clearLabel={t('users.clearFilters')}
            text={t('users.emptyText')}
            icon={<Users />}
            action={
              can('users:create') ? (
                <AddUserButton onOpen={() => setUrl({ dialog: 'new' }, { push: true })} />
              ) : undefined
            }
          />
        }
      />
    </div>
  );
}

function UsersSummary() {
  const { data } = useQuery(summaryOptions);
  return (
    <SummaryCards>
      <SummaryCard label={t('users.total')} value={data?.total} icon={<Users />} />
      <SummaryCard label={t('users.activeUsers')} value={data?.active} icon={<CircleCheck />} />
      <SummaryCard label={t('users.onlineNow')} value={data?.online} icon={<UserRoundCheck />} />
      <SummaryCard label={t('users.activeToday')} value={data?.activeToday} icon={<CalendarCheck />} />
    </SummaryCards>
  );
}
