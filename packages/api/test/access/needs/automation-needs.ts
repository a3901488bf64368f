import type { FeatureNeeds } from './feature-needs.ts';

export const automationNeeds: FeatureNeeds = {
  endpoints: {
    'campaigns:update contacts:read': `workflowSimulations.start workflowRuns.cancel workflowHooks.list workflowHooks.listAll workflowHooks.listCalls
      workflowHooks.set workflowHooks.renew`,
    'campaigns:update contacts:read messages:create':
      'workflowRuns.enrol workflowRuns.skipWait workflowRuns.retry workflowRuns.test',
    'campaigns:read': `workflows.list workflows.get workflows.check workflows.save workflows.remove workflows.listVersions workflows.getVersion
      workflowRuns.countSteps workflowRuns.countByDay`,
    'campaigns:read contacts:read': `workflowRuns.list workflowRuns.get workflowRuns.explain workflowRuns.findOrigin workflowRuns.listOfContact
      workflowRuns.previewEnrolment workflowSimulations.get workflowSimulations.listContacts`,
    'campaigns:create': 'workflows.create workflows.duplicate',
    'campaigns:update': 'workflows.publish workflows.pause workflows.activate',
  },
  ownAuthentication: ['POST /hooks/:token', 'GET /forms/:slug', 'POST /forms/:slug'],
  keys: {
    endpoints: `workflows.list workflows.get workflows.create workflows.save workflows.check workflows.publish workflows.pause
      workflows.activate workflows.duplicate workflows.remove workflows.listVersions workflows.getVersion workflowRuns.list
      workflowRuns.get workflowRuns.enrol workflowRuns.cancel workflowRuns.skipWait workflowRuns.countSteps
      workflowRuns.countByDay workflowRuns.retry workflowRuns.test workflowRuns.explain workflowRuns.findOrigin
      workflowRuns.listOfContact workflowRuns.previewEnrolment workflowSimulations.get workflowSimulations.listContacts
      workflowSimulations.start workflowHooks.list workflowHooks.listAll workflowHooks.listCalls`,
  },
};
