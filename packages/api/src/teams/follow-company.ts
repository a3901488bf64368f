import type { FactConsumer } from '../platform/facts/fact-consumer.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { leaveTeamAsMember, placeInTeam } from './team-member-actions.ts';

/** What the rules for the company's provider say of teams, by their names; one that there is not is passed over. */
export const followCompany: FactConsumer = {
  name: 'company-teams',
  order: 'subject',
  atDepthLimit: 'hear',
  types: ['user.company_teams'],
  async handle(page, facts) {
    for (const fact of facts) {
      const { subject: userId, values } = fact;
      if (userId === null) continue;
      const scope = page.causedBy(fact);
      for (const teamId of await findTeams(scope, values['joins']))
        await placeInTeam(scope, { teamId, userId });
      for (const teamId of await findTeams(scope, values['leaves']))
        await leaveTeamAsMember(scope, { teamId, userId });
    }
  },
};

async function findTeams(scope: WorkspaceScope, names: unknown): Promise<string[]> {
  const { rows } = await scope.query<{ id: string }>(
    'SELECT id FROM teams WHERE workspace_id = $1 AND name = ANY ($2) ORDER BY id',
    [scope.workspaceId, names],
  );
  return rows.map(({ id }) => id);
}
