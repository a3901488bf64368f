import { roles } from '@app/domain/auth/permissions';
import { userStatuses } from '@app/domain/users/member-rules';
import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { chosenFilters, fitsFilters, readFilters, type ListFilter } from '../../shared/lists/list-filters.ts';
import { t } from '../../shared/messages.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';
import { holdsText } from '../../shared/offline/kept-rows.ts';
import { roleLabel } from './users-words.ts';

export type User = Awaited<ReturnType<typeof api.users.list>>['items'][number];
export type UserDetails = Awaited<ReturnType<typeof api.users.get>>;
export type UsersSearch = ReturnType<typeof readUsersSearch>;

const PAGE_SIZE = 50;
export const userTabs = ['users', 'teams', 'activity', 'sessions', 'permissions'] as const;
export const userSorts = ['name', 'newest', 'last_login'] as const;
const dialogs = ['', 'new', 'view', 'edit', 'deactivate', 'delete', 'factors', 'permissions'] as const;

/** What the list can be narrowed to. */
export const userFilters = {
  role: {
    label: 'users.filterRole',
    all: 'users.allRoles',
    values: roles,
    say: roleLabel,
    of: (user: User) => user.role,
  },
  status: {
    label: 'users.filterStatus',
    all: 'users.allStatuses',
    values: userStatuses,
    say: (status: (typeof userStatuses)[number]) => t(`users.status.${status}`),
    of: (user: User) => user.status,
  },
} satisfies Record<string, ListFilter<User>>;

/** Tab, filters and the open dialog live in the address: `?tab=sessions`, `?dialog=view&user=…`. */
export function readUsersSearch(search: Record<string, unknown>) {
  return {
    tab: readOneOf(search, 'tab', userTabs),
    search: readText(search, 'search'),
    ...readFilters(userFilters, search),
    sort: readOneOf(search, 'sort', userSorts),
    dialog: readOneOf(search, 'dialog', dialogs),
    user: readText(search, 'user'),
  };
}

type Wanted = Pick<UsersSearch, 'search' | 'role' | 'status' | 'sort'>;

export function listOptions({ search, sort, ...choices }: Wanted) {
  return orpc.users.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(cursor && { cursor }),
      ...(search && { search }),
      ...chosenFilters(userFilters, choices),
      limit: PAGE_SIZE,
      sort,
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

/** What the server would find among these people. */
export function findKeptUsers(users: readonly User[], { search, ...choices }: Wanted): User[] {
  return users
    .filter((user) => fitsFilters(userFilters, choices, user))
    .filter((one) => holdsText([nameOf(one), one.email, one.phoneNumber], search));
}

export const summaryOptions = orpc.users.summarize.queryOptions({ input: {} });
export const waitingOptions = orpc.users.list.queryOptions({
  input: { status: 'waiting' as const, sort: 'newest' as const, limit: 50 },
});
export const matrixOptions = orpc.rolePermissions.get.queryOptions({ input: {} });

export function userOptions(userId: string) {
  return orpc.users.get.queryOptions({ input: { userId } });
}

/** Everything that the page shows: who is here, who is invited, who is signed in, and what roles may do. */
export const peopleKeys = () => [
  orpc.users.key(),
  orpc.factors.key(),
  orpc.invitations.key(),
  orpc.sessions.key(),
  orpc.rolePermissions.key(),
];

/** After any act on people. */
export async function refreshMembers(queryClient: QueryClient): Promise<void> {
  await Promise.all(peopleKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function nameOf({
  firstName,
  lastName,
  email,
}: Pick<User, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email;
}
