import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type Team = Awaited<ReturnType<typeof api.teams.list>>['items'][number];
export type TeamDetails = Awaited<ReturnType<typeof api.teams.get>>;
export type TeamMember = TeamDetails['members'][number];

/** `?tab=teams&dialog=team&team=…`. */
export function readTeamsSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    teamDialog: readOneOf(search, 'teamDialog', ['', 'new', 'view', 'settings']),
    team: readText(search, 'team'),
  };
}
export type TeamsSearch = ReturnType<typeof readTeamsSearch>;

export function listOptions({ search }: Pick<TeamsSearch, 'search'>) {
  return orpc.teams.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(cursor && { cursor }),
      ...(search && { search }),
      limit: 24,
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

export function teamOptions(teamId: string) {
  return orpc.teams.get.queryOptions({ input: { teamId } });
}

export function refreshTeams(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: orpc.teams.key() });
}

export const teamsErrorMessage = errorMessageOf({
  team_not_found: 'teams.error.team_not_found',
  team_changed: 'teams.error.team_changed',
  team_name_taken: 'teams.error.team_name_taken',
  team_not_yours: 'teams.error.team_not_yours',
  team_full: 'teams.error.team_full',
  team_too_small: ({ members }) => t('teams.error.team_too_small', { members: String(members ?? '') }),
  team_needs_owner: 'teams.error.team_needs_owner',
  team_member_not_found: 'teams.error.team_member_not_found',
});
