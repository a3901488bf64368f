import type { ServerFeature } from '../platform/features/server-feature.ts';
import { followCompany } from './follow-company.ts';
import { joinOnArrival } from './join-on-arrival.ts';
import { teamsApi } from './teams-api.ts';

export const teamsFeature = {
  name: 'teams',
  router: { teams: teamsApi },
  consumers: [joinOnArrival, followCompany],
} satisfies ServerFeature;
