import type { ServerFeature } from '../platform/features/server-feature.ts';
import { followCompany } from './follow-company.ts';
import { joinOnArrival } from './join-on-arrival.ts';
import { teamsApi } from './teams-api.ts';

export const teamsFeature = {
  name: 'teams',
  tables: {
    teams: 'names of teams',
    team_members: 'people who work here, who are no contacts',
  },
  router: { teams: teamsApi },
  consumers: [joinOnArrival, followCompany],
} satisfies ServerFeature;
