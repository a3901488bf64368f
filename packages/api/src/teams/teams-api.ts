import { teamsContract } from '@app/contracts/teams/teams-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { addTeam, changeTeam, removeTeam } from './team-actions.ts';
import { addTeamMember, removeTeamMember, setTeamMember } from './team-member-actions.ts';
import { findTeam, listTeams, type TeamDetails } from './teams-queries.ts';

const os = implementEndpoints(teamsContract);

const atName = { data: { field: 'name' } };

export const teamsApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listTeams(scope, input))),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findTeam(scope, input.teamId));
    if (!found) throw errors.team_not_found();
    return found;
  }),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addTeam(scope, input);
      if (added === 'team_name_taken') throw errors.team_name_taken(atName);
      return readChanged(scope, added.id);
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await changeTeam(scope, input);
      if (refusal === 'team_name_taken') throw errors.team_name_taken(atName);
      if (typeof refusal === 'string') throw errors[refusal]();
      if (refusal) throw errors.team_too_small({ data: { field: 'maxMembers', values: refusal } });
      return readChanged(scope, input.teamId);
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await removeTeam(scope, input.teamId);
      if (refusal) throw errors[refusal]();
      return {};
    }),
  ),

  addMember: os.addMember.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await addTeamMember(scope, input);
      if (refusal) throw errors[refusal]();
      return readChanged(scope, input.teamId);
    }),
  ),

  setMember: os.setMember.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await setTeamMember(scope, input);
      if (refusal) throw errors[refusal]();
      return readChanged(scope, input.teamId);
    }),
  ),

  removeMember: os.removeMember.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await removeTeamMember(scope, input);
      if (refusal) throw errors[refusal]();
      return readChanged(scope, input.teamId);
    }),
  ),
});

/** As it is now, for whoever changed it. */
async function readChanged(scope: ReadScope, teamId: string): Promise<TeamDetails> {
  const found = await findTeam(scope, teamId);
  if (!found) throw new Error('A team whose row is locked is there.');
  return found;
}
