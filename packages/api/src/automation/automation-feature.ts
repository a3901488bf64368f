import type { ServerFeature } from '../platform/features/server-feature.ts';
import { automationOutcomes, automationReplies, automationTriggers } from './engine/automation-consumers.ts';
import { automationDeletions } from './engine/deleted-contacts.ts';
import { tidyFlows } from '@app/flows/tidy-flows';
import { workflowHooksApi } from './hooks/workflow-hooks-api.ts';
import { automationPersonData } from './automation-person-data.ts';
import { workflowCampaign } from './engine/later/add-to-campaign.ts';
import { workflowMail } from './engine/later/email-notification.ts';
import { workflowCall } from './engine/later/webhook-call.ts';
import { clockWaits } from './engine/sweeps/clock-waits.ts';
import { automationSweeps, automationTimes } from './engine/sweeps/sweeping-facts.ts';
import { operationJob } from '../platform/operations/operation-job.ts';
import { workflowMove } from './move-runs-operation.ts';
import { workflowSimulation } from './simulation/simulation-operation.ts';
import { workflowSimulationsApi } from './simulation/workflow-simulations-api.ts';
import { workflowRunsApi } from './workflow-runs-api.ts';
import { workflowsApi } from './workflows-api.ts';

export const automationFeature = {
  name: 'automation',
  router: {
    workflows: workflowsApi,
    workflowRuns: workflowRunsApi,
    workflowHooks: workflowHooksApi,
    workflowSimulations: workflowSimulationsApi,
  },
  consumers: [
    ...[automationTriggers, automationReplies, automationOutcomes, automationSweeps, automationTimes],
    automationDeletions,
  ],
  jobs: [
    workflowCall,
    workflowMail,
    workflowCampaign,
    clockWaits,
    operationJob(workflowMove),
    operationJob(workflowSimulation),
  ],
  personData: automationPersonData,
  upkeep: {
    seldom: [({ db, clock }) => tidyFlows((work) => db.inSystem((_, client) => work(client)), clock())],
  },
} satisfies ServerFeature;
