import { flowStatuses, publishModes } from '@app/domain/automation/workflow-status';
import { flowLimits } from '@app/domain/flows/flow-file';
import { z } from 'zod';
import { endpoint, id, page, pageInput, readsOnly, versioned } from '../endpoint.ts';
import { flowFile, flowFileParts } from './flow-file-schema.ts';
import { flowProblem, workflow, workflowDetails, workflowVersion } from './workflow-values.ts';

const one = z.object({ workflowId: id });
const version = z.number().int().min(1).max(2_000_000_000);

/** A complete flow file; docs/guides/flows.md explains it. */
export const exampleFlow = {
  name: 'Welcome',
  description: 'Greets new customers.',
  triggers: [{ id: 'tagged', type: 'tag_added', config: { tags: ['customer'] } }],
  start: 'note',
  steps: [
    {
      id: 'note',
      type: 'add_tag',
      config: { tag: 'welcomed' },
      delay: { amount: 1, unit: 'hours' as const },
      next: {},
    },
  ],
};

export const workflowsContract = {
  list: endpoint({
    method: 'GET',
    path: '/workflows',
    access: 'campaigns:read',
    forKeys: { example: { limit: 2 } },
    summary: 'Workflows, newest first',
    input: pageInput.extend({
      search: z.string().max(200).optional(),
      status: z.enum(flowStatuses).optional(),
    }),
    output: page(workflow).extend({ matching: z.number() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'One workflow with its draft as a flow file, and what keeps it from being published',
    input: one,
    output: workflowDetails,
    errors: ['workflow_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/workflows',
    access: 'campaigns:create',
    forKeys: { example: exampleFlow },
    repeat: 'keyed',
    summary: 'Creates a workflow of a flow file, as a draft',
    input: flowFile,
    output: workflowDetails,
    errors: ['workflow_limit'],
  }),
  save: endpoint({
    method: 'PUT',
    path: '/workflows/{workflowId}',
    // Which workflows the caller may change is asked behind this.
    access: 'campaigns:read',
    forKeys: true,
    repeat: versioned,
    summary:
      'Replaces the draft by a flow file, unless the draft was changed since `version`. Needs campaigns:update, or campaigns:create for an own draft that was never published',
    input: z.strictObject({ workflowId: id, version, ...flowFileParts }),
    output: workflowDetails,
    errors: ['workflow_not_found', 'workflow_changed'],
  }),
  check: endpoint({
    method: 'POST',
    path: '/workflows/check',
    access: 'campaigns:read',
    forKeys: { example: { flow: exampleFlow } },
    repeat: readsOnly,
    summary: 'What would keep a flow file from being published; nothing is saved',
    input: z.strictObject({ flow: flowFile }),
    output: z.object({ problems: z.array(flowProblem) }),
  }),
  publish: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/publish',
    access: 'campaigns:update',
    forKeys: true,
    repeat: versioned,
    summary:
      'Publishes the draft as the next version and activates the workflow; a draft that is published already stays the version that it is',
    input: z.strictObject({
      workflowId: id,
      /** Of the draft that is meant. */
      version,
      /**
       * `finish`: runs in progress stay on the version that they began with. `move`: those whose step is in the new version go on there, as an
       * operation in the background; all others finish on their version.
       */
      runs: z.enum(publishModes).default('finish'),
    }),
    output: workflowDetails,
    errors: ['workflow_not_found', 'workflow_changed', 'workflow_invalid'],
  }),
  pause: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/pause',
    access: 'campaigns:update',
    forKeys: true,
    repeat: { harmless: 'A paused workflow stays paused.' },
    summary: 'Starts no more runs; those in progress go on',
    input: z.strictObject({ workflowId: id }),
    output: workflow,
    errors: ['workflow_not_found', 'workflow_not_published'],
  }),
  activate: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/activate',
    access: 'campaigns:update',
    forKeys: true,
    repeat: { harmless: 'An active workflow stays active.' },
    summary: 'Starts runs of the published version again',
    input: z.strictObject({
      workflowId: id,
      /** What becomes of runs that waited when a restored backup was taken: they stay ended, or go on from there. */
      heldRuns: z.enum(['end', 'continue']).default('end'),
    }),
    output: workflow,
    errors: ['workflow_not_found', 'workflow_not_published'],
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/duplicate',
    access: 'campaigns:create',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Creates a draft with the same steps under another name',
    input: z.strictObject({ workflowId: id, name: z.string().trim().min(1).max(flowLimits.name).optional() }),
    output: workflowDetails,
    errors: ['workflow_not_found', 'workflow_limit'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/workflows/{workflowId}',
    // Which workflows the caller may delete is asked behind this.
    access: 'campaigns:read',
    forKeys: true,
    repeat: 'keyed',
    summary:
      'Deletes a workflow with its versions, runs and log; runs in progress end. Needs campaigns:delete, or campaigns:create for an own draft that was never published',
    input: one,
    output: z.object({}),
    errors: ['workflow_not_found'],
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/versions',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'Published versions, newest first',
    input: one,
    output: page(workflowVersion),
    errors: ['workflow_not_found'],
  }),
  getVersion: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/versions/{number}',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'One version as a flow file: a published one, or by a negative number the draft of a test run',
    input: z.object({
      workflowId: id,
      number: z.coerce.number().int().min(-2_000_000_000).max(2_000_000_000),
    }),
    output: z.object({ number: z.number(), flow: flowFile }),
    errors: ['workflow_not_found'],
  }),
};
