import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';
import { runStatuses, workflowRun, workflowRunDetails } from './workflow-values.ts';

/** Runs tell of people: who reads them needs contacts as well. */
const access = ['campaigns:read', 'contacts:read'] as const;

export const workflowRunsContract = {
  list: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/runs',
    access,
    forKeys: true,
    summary: 'Runs of a workflow, newest first',
    input: pageInput.extend({
      workflowId: id,
      status: z.enum(runStatuses).optional(),
      contactId: id.optional(),
      /** Name or number of the contact. */
      search: z.string().max(200).optional(),
      /** By their start. */
      from: instant.optional(),
      to: instant.optional(),
    }),
    output: page(workflowRun),
    errors: ['workflow_not_found'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/workflow-runs/{runId}',
    access,
    forKeys: true,
    summary: 'One run with each step that it did',
    input: z.object({ runId: id }),
    output: workflowRunDetails,
    errors: ['workflow_run_not_found'],
  }),
};
