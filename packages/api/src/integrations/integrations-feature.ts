import type { ServerFeature } from '../platform/features/server-feature.ts';
import { checkConnections } from './check-connections.ts';
import { campaignOutcomesSchedule } from './events/campaign-outcomes.ts';
import { campaignResultsSchedule } from './events/campaign-results.ts';
import { followLines } from './events/follow-lines.ts';
import { integrationEventsApi } from './events/integration-events-api.ts';
import { followContacts } from './follow-contacts.ts';
import { integrationsApi } from './integrations-api.ts';
import { integrationsPersonData } from './integrations-person-data.ts';
import { integrationSync } from './sync/sync-job.ts';
import { pruneRuns, syncSchedule } from './sync/sync-schedule.ts';

export const integrationsFeature = {
  name: 'integrations',
  personData: integrationsPersonData,
  router: { integrations: integrationsApi, integrationEvents: integrationEventsApi },
  consumers: [followContacts, followLines],
  jobs: [integrationSync],
  schedules: [syncSchedule, campaignResultsSchedule, campaignOutcomesSchedule],
  upkeep: { seldom: [pruneRuns, checkConnections] },
} satisfies ServerFeature;
