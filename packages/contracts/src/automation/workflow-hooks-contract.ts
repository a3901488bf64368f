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
