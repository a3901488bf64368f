import { FLOW_ID } from '@app/domain/flows/flow-file';
import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

const triggerId = z.string().regex(FLOW_ID, 'An id has letters, digits, - and _, and at most 40 of them.');

export const workflowHook = z.object({
  triggerId: z.string(),
  /** Who has it may call it. */
  url: z.string(),
  hasSecret: z.boolean(),
  calls: z.number(),
  lastCallAt: instant.nullable(),
  /** The body of the last call; null before the first one. */
  sample: z.json(),
});

/** An address with the workflow that it belongs to. */
export const workspaceHook = z.object({
  workflowId: id,
  workflowName: z.string(),
  isActive: z.boolean(),
  triggerId: z.string(),
  url: z.string(),
  hasSecret: z.boolean(),
  calls: z.number(),
  lastCallAt: instant.nullable(),
});

export const workflowHookCall = z.object({
  id: z.string(),
  at: instant,
  /** What the caller got. */
  status: z.number(),
  /** `started` a run, `waits` for its turn, began `nothing`, or was `rejected`. */
  outcome: z.enum(['started', 'waits', 'nothing', 'rejected']),
  /** Why it began nothing or was rejected. */
  reason: z.string().nullable(),
  runId: id.nullable(),
  /** Of the body. */
  bytes: z.number(),
  /** With secrets masked; the beginning as a text where it was large, and null where the call was rejected. */
  body: z.json(),
});

/** The address begins runs: only who may publish sees it. */
const access = ['campaigns:update', 'contacts:read'] as const;

export const workflowHooksContract = {
  list: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/hooks',
    access,
    forKeys: true,
    summary: 'Addresses at which other services begin runs of a workflow, with the last body that each got',
    input: z.object({ workflowId: id }),
    output: z.object({ items: z.array(workflowHook) }),
    errors: ['workflow_not_found'],
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/workflow-hooks',
    access,
    forKeys: true,
    summary:
      'Addresses of all workflows at which other services begin runs, the one that was called last first',
    input: z.object({}),
    output: z.object({ items: z.array(workspaceHook) }),
  }),
  listCalls: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/hooks/{triggerId}/calls',
    access,
    forKeys: true,
    summary: 'The last 50 calls of an address and the last 50 that were rejected, with what became of each',
    input: z.object({ workflowId: id, triggerId }),
    output: z.object({ items: z.array(workflowHookCall) }),
    errors: ['workflow_not_found'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/workflows/{workflowId}/hooks/{triggerId}',
    access,
    repeat: { harmless: 'The address stays as it is, and the same secret twice is the same secret.' },
    summary:
      'Gives a trigger of the type webhook its address, also before the workflow is published, and sets the secret that callers must send',
    input: z.strictObject({
      workflowId: id,
      triggerId,
      /** Null takes it away; without it the secret stays as it is. It is not shown again. */
      secret: z.string().min(16).max(200).nullable().optional(),
    }),
    output: workflowHook,
    errors: ['workflow_not_found'],
  }),
  renew: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/hooks/{triggerId}/renew',
    access,
    repeat: 'keyed',
    summary: 'Gives a trigger another address; the old one stops at once',
    input: z.strictObject({ workflowId: id, triggerId }),
    output: workflowHook,
    errors: ['workflow_not_found'],
  }),
};
