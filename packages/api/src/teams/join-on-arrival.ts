import type { FactConsumer } from '../platform/facts/fact-consumer.ts';
import { placeInTeam } from './team-member-acts.ts';

/** Whoever was invited to a team is in it once they have come, unless it is gone or full by then. */
export const joinOnArrival: FactConsumer = {
  name: 'join-teams',
  order: 'none',
  types: ['user.joined'],
  async handle(scope, facts) {
    for (const { subject: userId, values } of facts)
      if (userId !== null && typeof values.teamId === 'string')
        await placeInTeam(scope, { teamId: values.teamId, userId });
  },
};
