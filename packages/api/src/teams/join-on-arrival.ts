import type { FactConsumer } from '../platform/facts/fact-consumer.ts';
import { placeInTeam } from './team-member-actions.ts';

/** Whoever was invited to a team is in it once they have come, unless it is gone or full by then. */
export const joinOnArrival: FactConsumer = {
  name: 'join-teams',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['user.joined'],
  async handle(page, facts) {
    for (const fact of facts) {
      const { subject: userId, values } = fact;
      if (userId !== null && typeof values.teamId === 'string')
        await placeInTeam(page.causedBy(fact), { teamId: values.teamId, userId });
    }
  },
};
