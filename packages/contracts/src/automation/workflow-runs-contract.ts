import { z } from 'zod';
import { CONTACT_LIST_BODY, endpoint, id, instant, page, pageInput, readsOnly } from '../endpoint.ts';
import { chosenAudience } from '../sending/chosen-audience.ts';
import {
  explanation,
  messageOrigin,
  runStatuses,
  workflowRun,
  workflowRunDetails,
} from './workflow-values.ts';

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
  listOfContact: endpoint({
    method: 'GET',
    path: '/contacts/{contactId}/workflow-runs',
    access,
    forKeys: true,
    summary: 'Runs of one contact through all workflows, newest first',
    input: pageInput.extend({ contactId: id }),
    output: page(workflowRun.extend({ workflowName: z.string() })),
    errors: ['contact_not_found'],
  }),
  countSteps: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/steps',
    access: 'campaigns:read',
    forKeys: true,
    summary:
      'How many runs reached each step, wait there and failed there: of the newest 10,000 runs of the last 30 days',
    input: z.object({ workflowId: id }),
    output: z.object({
      /** How many runs were counted. */
      runs: z.number(),
      items: z.array(
        z.object({
          stepId: z.string(),
          reached: z.number(),
          waiting: z.number(),
          failed: z.number(),
          /** Runs that left it by each exit; the exit is null where the run ended there. */
          left: z.array(z.object({ exit: z.string().nullable(), n: z.number() })),
        }),
      ),
    }),
    errors: ['workflow_not_found'],
  }),
  countByDay: endpoint({
    method: 'GET',
    path: '/workflow-figures',
    access: 'campaigns:read',
    forKeys: { example: { days: 7 } },
    summary:
      'Runs and webhook calls of the last days, by day in the time zone of the workspace and by workflow; test runs do not count as runs',
    input: z.object({ days: z.coerce.number().int().min(1).max(30).default(30) }),
    output: z.object({
      zone: z.string(),
      /** Every day of the time, the last one today. */
      days: z.array(
        z.object({
          day: z.string(),
          /** By the day on which they began. */
          runs: z.number(),
          completed: z.number(),
          failed: z.number(),
          calls: z.number(),
          /** Calls that failed, or of which nobody knows what became of them. */
          failedCalls: z.number(),
        }),
      ),
      workflows: z.array(
        z.object({
          workflowId: id,
          runs: z.number(),
          calls: z.number(),
          failedCalls: z.number(),
        }),
      ),
    }),
  }),
  enrol: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/runs',
    access: ['campaigns:update', 'contacts:read', 'messages:create'],
    forKeys: true,
    repeat: 'keyed',
    summary:
      'Enters contacts into an active workflow: up to 1,000 by id at once, or an audience at the pace of the workflow. How often a contact may enter counts for them as for others',
    input: z
      .strictObject({
        workflowId: id,
        contactIds: z.array(id).min(1).max(1000).optional(),
        audience: chosenAudience.optional(),
      })
      .refine(({ contactIds, audience }) => (contactIds === undefined) !== (audience === undefined), {
        error: 'Name either contactIds or an audience.',
        when: ({ issues }) => issues.length === 0,
      }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({
      /** Of an audience: how many it names now, without blocked contacts. */
      enrolled: z.number(),
    }),
    errors: ['workflow_not_found', 'workflow_not_active', 'contact_not_found', 'campaign_segment_deleted'],
  }),
  previewEnrolment: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/enrolment-preview',
    access,
    forKeys: true,
    repeat: readsOnly,
    summary: 'How many contacts of an audience would enter a workflow now, and why the others would not',
    input: z.strictObject({ workflowId: id, audience: chosenAudience }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({
      chosen: z.number(),
      willEnter: z.number(),
      blocked: z.number(),
      /** Where each contact enters once. */
      enteredBefore: z.number(),
      /** Where a contact enters one at a time. */
      inProgress: z.number(),
      /** Of those who would enter: the workflow changes them, and sends them nothing of the category marketing. */
      optedOut: z.number(),
      /** How many enter in a minute at most. */
      perMinute: z.number(),
    }),
    errors: ['workflow_not_found', 'workflow_not_active', 'campaign_segment_deleted'],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/workflow-runs/{runId}/retry',
    access: ['campaigns:update', 'contacts:read', 'messages:create'],
    forKeys: true,
    repeat: 'keyed',
    summary:
      'Begins a new run at a step of one that has ended, with what that one knew; by default at the step where it ended',
    input: z.strictObject({ runId: id, stepId: z.string().min(1).max(40).optional() }),
    output: z.object({ runId: id }),
    errors: ['workflow_run_not_found', 'workflow_run_in_progress', 'workflow_step_not_found'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/contacts/{contactId}/test',
    access: ['campaigns:update', 'contacts:read', 'messages:create'],
    forKeys: true,
    repeat: 'keyed',
    summary:
      'Sends one contact through the draft at once; messages and calls are real, and figures do not count it',
    input: z.strictObject({
      workflowId: id,
      contactId: id,
      /** What the trigger would bring, by its names. */
      values: z.record(z.string().max(60), z.json()).default({}),
    }),
    output: z.object({ runId: id }),
    errors: ['workflow_not_found', 'workflow_invalid', 'contact_not_found'],
  }),
  explain: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/contacts/{contactId}',
    access,
    forKeys: true,
    summary:
      'Why a contact did, or did not, enter a workflow: its starts of the last 30 days, and what stands in the way today',
    input: z.object({ workflowId: id, contactId: id }),
    output: explanation,
    errors: ['workflow_not_found', 'contact_not_found'],
  }),
  findOrigin: endpoint({
    method: 'GET',
    path: '/workflow-messages/{messageId}',
    access,
    forKeys: true,
    summary:
      'Why a contact got a message: the run and the step that sent it; null for a message of no workflow',
    input: z.object({ messageId: id }),
    output: z.object({ origin: messageOrigin.nullable() }),
    errors: ['message_not_found'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/workflow-runs/{runId}/cancel',
    access: ['campaigns:update', 'contacts:read'],
    forKeys: true,
    repeat: { harmless: 'A run that has ended stays as it is.' },
    summary: 'Ends a run, and withdraws its messages that have not left',
    input: z.strictObject({ runId: id }),
    output: z.object({}),
    errors: ['workflow_run_not_found'],
  }),
  skipWait: endpoint({
    method: 'POST',
    path: '/workflow-runs/{runId}/skip',
    access: ['campaigns:update', 'contacts:read', 'messages:create'],
    forKeys: true,
    repeat: { harmless: 'It names the visit whose wait it ends: each ends once.' },
    summary: 'Ends the delay or wait of a run now, unless the run has gone on since',
    input: z.strictObject({ runId: id, visit: z.number().int().min(1).max(100_000) }),
    output: z.object({}),
    errors: ['workflow_run_not_found'],
  }),
};
