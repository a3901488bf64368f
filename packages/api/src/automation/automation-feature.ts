import type { ServerFeature } from '../platform/features/server-feature.ts';
import { automationOutcomes, automationReplies, automationTriggers } from './engine/automation-consumers.ts';
import { tidyFlows } from '@app/flows/tidy-flows';
import { workflowHooksApi } from './hooks/workflow-hooks-api.ts';
import { automationPersonData } from './automation-person-data.ts';
import { workflowCampaign } from './engine/later/add-to-campaign.ts';
import { workflowMail } from './engine/later/email-notification.ts';
import { workflowCall } from './engine/later/webhook-call.ts';
import { automationSweeps } from './engine/sweeps/sweeping-facts.ts';
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
  consumers: [automationTriggers, automationReplies, automationOutcomes, automationSweeps],
  jobs: [
    workflowCall,
    workflowMail,
    workflowCampaign,
    operationJob(workflowMove),
    operationJob(workflowSimulation),
  ],
  tables: {
    flows: 'what staff drew for nobody in particular',
    flow_versions: 'the same, as it was published',
    flow_triggers: 'what begins the published version of each flow',
    flow_secrets: 'what opens the services that steps call',
    flow_simulations: 'how many contacts a draft would have treated in which way',
    flow_forms: 'which address belongs to which form',
    flow_sweeps:
      'what begins flows for many contacts; those whom a member picked stand there by id until they have entered',
  },
  personData: automationPersonData,
  upkeep: {
    seldom: [({ db, clock }) => tidyFlows((work) => db.inSystem((_, client) => work(client)), clock())],
  },
} satisfies ServerFeature;
